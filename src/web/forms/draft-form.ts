import type { PhoneField } from '../../contract/phone-field.ts'
import { contentOf, type DraftQuestion } from './draft-questions.ts'

/** A registration form while it is being built. */
export interface DraftForm {
  phoneField: PhoneField
  questions: readonly DraftQuestion[]
}

/** How many changes a save would make: questions added, removed or edited, another order of the rest, the phone number. */
export function countChanges(saved: DraftForm, present: DraftForm): number {
  const before = new Map(saved.questions.map((question) => [question.key, question]))
  const now = new Set(present.questions.map(({ key }) => key))
  const removed = saved.questions.filter(({ key }) => !now.has(key)).length
  const added = present.questions.filter(({ key }) => !before.has(key)).length
  const edited = present.questions.filter((question) => {
    const old = before.get(question.key)
    return old !== undefined && old !== question && textOf(old) !== textOf(question)
  }).length
  const kept = (form: DraftForm) => form.questions.flatMap(({ key }) => (before.has(key) && now.has(key) ? [key] : []))
  const order = kept(saved).join() === kept(present).join() ? 0 : 1
  const phone = saved.phoneField === present.phoneField ? 0 : 1
  return removed + added + edited + order + phone
}

const textOf = (question: DraftQuestion) => JSON.stringify(contentOf(question))

/** The first question that is new or different after an undo or redo; undefined if there is none. */
export function firstChanged(before: DraftForm, after: DraftForm): DraftQuestion | undefined {
  return after.questions.find((question) => !before.questions.includes(question))
}
