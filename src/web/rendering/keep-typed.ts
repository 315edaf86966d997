import { pageAt } from '../../contract/page-paths.ts'
import { REGISTRATION_FORM, readDraft, saveDraft } from '../registrations/draft.ts'

/**
 * Before script takes over: fills what an earlier visit of this tab had typed into the fields that nobody has touched, and saves all of
 * it as the draft. React then begins with the values that the fields have already. Answers what is to be called afterwards: it gives
 * back what was typed meanwhile.
 */
export function keepTyped({ isSubmitted }: { isSubmitted: boolean }): () => void {
  const form = document.getElementById(REGISTRATION_FORM)
  const eventId = Number(pageAt(window.location.pathname)?.params.eventId)
  if (!(form instanceof HTMLFormElement)) return () => {}
  // What was sent and refused stands in the form, and is newer.
  const draft = isSubmitted ? {} : readDraft(eventId)
  for (const [name, values] of Object.entries(draft)) fill(form, name, values)
  if (isSubmitted || isTouched(form)) saveDraft(eventId, form)
  // React writes the value that it began with into every textarea (React 19.3, `initTextarea`).
  const typed = new Map<HTMLTextAreaElement, string>()
  const note = ({ target }: Event) => {
    if (target instanceof HTMLTextAreaElement) typed.set(target, target.value)
  }
  form.addEventListener('input', note, true)
  return () => {
    form.removeEventListener('input', note, true)
    for (const [area, value] of typed) if (area.value !== value) area.value = value
    if (typed.size > 0) saveDraft(eventId, form)
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

/** Whether it holds something else than what came with the page. */
function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return field.selectedIndex > 0
  if (isChoice(field)) return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}

function isTouched(form: HTMLFormElement): boolean {
  return fieldsOf(form).some(isChanged)
}
