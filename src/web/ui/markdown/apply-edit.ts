import type { Edit } from './edit-text.ts'

/**
 * Makes the edit in the field as if it were typed, so that the browser's undo takes it back. The command is deprecated, but the only way to
 * that: setting the value, or a range of it, makes undo forget everything or do nothing.
 */
export function applyEdit(field: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  field.focus()
  field.setSelectionRange(from, to)
  if (!document.execCommand(insert === '' ? 'delete' : 'insertText', false, insert) && from + insert.length !== to) {
    field.setRangeText(insert, from, to)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  }
  field.setSelectionRange(start, end)
}
