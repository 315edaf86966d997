import { REGISTRATION_FORM, readDraft, saveDraft } from '../registrations/typed.ts'

/** Called during hydration: `save` before React reads the form, `restore` after hydration. */
export interface Typed {
  save: () => void
  restore: () => void
}

/**
 * Runs before hydration: fills untouched fields with the tab's stored draft, and saves further input as the draft, so that a reload
 * loses nothing. React then starts with the values that the fields already have.
 */
export function keepTyped(eventId: number, isSubmitted: boolean): Typed {
  const form = document.getElementById(REGISTRATION_FORM)
  if (!(form instanceof HTMLFormElement)) return { save: () => {}, restore: () => {} }
  // After a refusal, the form already has the values that were sent, which are newer.
  const draft = isSubmitted ? {} : readDraft(eventId)
  for (const [name, values] of Object.entries(draft)) fill(form, name, values)
  // React writes the value that it started with into every textarea (React 19.3, `initTextarea`).
  const typed = new Map<HTMLTextAreaElement, string>()
  let isTakenOver = false
  const note = ({ target }: Event) => {
    if (!(target instanceof Node && form.contains(target))) return
    saveDraft(eventId, form)
    if (isTakenOver && target instanceof HTMLTextAreaElement) typed.set(target, target.value)
  }
  // On the document: React stops events at its root while it hydrates. The draft also has to be stored before React reads it.
  document.addEventListener('input', note, true)
  return {
    save: () => {
      isTakenOver = true
      // The browser may have filled in fields without an event.
      if (isSubmitted || isTouched(form)) saveDraft(eventId, form)
      // In a refused form, React would put back the answer that was sent.
      for (const area of form.querySelectorAll('textarea')) if (isChanged(area)) typed.set(area, area.value)
    },
    restore: () => {
      document.removeEventListener('input', note, true)
      for (const [area, value] of typed) if (area.value !== value) area.value = value
      if (typed.size > 0) saveDraft(eventId, form)
    },
  }
}

function fill(form: HTMLFormElement, name: string, values: readonly string[]): void {
  const fields = fieldsOf(form).filter((field) => field.name === name)
  if (fields.some(isChanged)) return
  for (const field of fields)
    if (isChoice(field)) field.checked = values.includes(field.value)
    else field.value = values[0] ?? ''
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
const isChoice = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio'

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>('input[name], select[name], textarea[name]')]
}

/** Whether the field's value differs from the one that came with the page. */
function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return field.selectedIndex > 0
  if (isChoice(field)) return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}

function isTouched(form: HTMLFormElement): boolean {
  return fieldsOf(form).some(isChanged)
}
