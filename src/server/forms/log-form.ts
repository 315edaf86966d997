import type { PhoneField } from '../../contract/phone-field.ts'
import { differences, pick } from '../db/differences.ts'
import type { FormQuestionRow, TicketTypeRow } from '../db/schema.ts'

/** A form before or after a change. */
export interface FormState {
  questions: readonly FormQuestionRow[]
  phoneField: PhoneField
}

/** A question that is new, gone or different: what it was called before, and what differs. */
interface QuestionChange {
  text: string
  before: object | null
  after: object | null
}

const fields = ['text', 'typeId', 'required', 'showAtDoor', 'options', 'askedFor', 'isOncePerOrder'] as const

/** What a change of a form has changed, for the log of changes: each question that is new, gone or different, with what differs. */
export function formDifferences(before: FormState, after: FormState, ticketTypes: readonly TicketTypeRow[]) {
  const named = (question: FormQuestionRow) => ({
    ...question,
    askedFor: namesOf(question, ticketTypes),
    isOncePerOrder: question.askedOf === 'order',
  })
  const changed: QuestionChange[] = [
    ...after.questions.flatMap((question): QuestionChange[] => {
      const old = before.questions.find(({ id }) => id === question.id)
      if (!old) return [{ text: question.text, before: null, after: pick(named(question), fields) }]
      const { isNone, ...change } = differences(named(old), named(question), { shown: fields, named: [] })
      return isNone ? [] : [{ text: old.text, ...change }]
    }),
    ...before.questions
      .filter(({ id }) => after.questions.every((question) => question.id !== id))
      .map(({ text }) => ({ text, before: { text }, after: null })),
  ]
  const isSorted = orderOf(before, after) !== orderOf(after, before)
  const side = ({ questions, phoneField }: FormState) => ({ questions: questions.length, phoneField })
  return {
    before: side(before),
    after: { ...side(after), ...(changed.length > 0 && { changed }), ...(isSorted && { fields: ['order'] }) },
  }
}

/** The names of the ticket types that a question is asked for; none for all. */
function namesOf({ ticketTypeIds }: FormQuestionRow, types: readonly TicketTypeRow[]): string[] {
  return types.filter(({ id }) => ticketTypeIds.includes(id)).map(({ name }) => name)
}

/** The order of those questions that are in both. */
function orderOf(form: FormState, other: FormState): string {
  const ids = form.questions.map(({ id }) => id)
  return ids.filter((id) => other.questions.some((question) => question.id === id)).join()
}
