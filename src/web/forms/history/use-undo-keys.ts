import { useEffect, useEffectEvent } from 'react'
import { letterOf } from '../../shortcuts/shortcuts.ts'

/** Marks a part of the page whose text fields keep the browser's own undo. */
export const ownUndo = { 'data-own-undo': true }

/**
 * Ctrl or ⌘ with Z undoes, with Shift and Z (or Y) redoes. In the builder's text fields too, instead of the browser's own undo: that knows
 * nothing of the other edits, so two histories would contradict each other. Typing is in ours in steps of a few words.
 */
export function useUndoKeys({ undo, redo }: { undo: () => void; redo: () => void }): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || !(event.ctrlKey || event.metaKey)) return
    const key = letterOf(event)
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
    if ((key !== 'z' && !isRedo) || isElsewhere(event.target)) return
    event.preventDefault()
    if (isRedo) redo()
    else undo()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Whether a key was pressed in a field or dialog that is not part of the form being built. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-own-undo], [role=dialog]') !== null
}
