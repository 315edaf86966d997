import { type FieldError, Refusal } from '../../contract/errors.ts'
import { keptAnswers, validateAnswers } from '../../contract/forms.ts'
import type { RegistrationData } from '../../contract/registrations.ts'
import { countryOfZone, toE164 } from '../../contract/values/phones.ts'
import type { FormQuestionRow } from '../db/schema.ts'
import type { Answer } from '../db/tables/events.ts'
import { hasWebAddress } from './web-address.ts'

type Given = Pick<RegistrationData, 'name' | 'phone' | 'others'>

interface Form {
  timeZone: string
  questions: FormQuestionRow[]
  /** Whoever fills it in is no member of staff. */
  isVisitor: boolean
  /** What was answered before: an answer to a question that is no longer asked may come again, and counts for nothing. */
  before?: readonly Answer[]
}

/**
 * What was filled in, as it is kept: the phone number in E.164 (read as one of the event's country where it names none; empty
 * stays empty), the answers with their questions' words. Or what is wrong with it. A visitor's name is judged too, because it
 * stands in mails; staff write what they want.
 */
export function checkPerson(
  { name, phone, others: given }: Given,
  { timeZone, questions, isVisitor, before = [] }: Form,
): { phone: string; others: Answer[] } | { wrong: FieldError[] } {
  const isGone = (qId: number) => before.some((answer) => answer.qId === qId) && !questions.some(({ id }) => id === qId)
  const others = given.filter(({ qId }) => !isGone(qId))
  const number = phone === '' ? '' : toE164(phone, countryOfZone(timeZone))
  const wrong = validateAnswers(questions, others)
  if (number === null) wrong.unshift({ path: 'phone', msg: 'Enter a phone number like +44 20 7946 0958.' })
  if (isVisitor && hasWebAddress(name)) wrong.unshift({ path: 'name', msg: 'Enter a name, not a web address.' })
  return wrong.length > 0 || number === null ? { wrong } : { phone: number, others: keptAnswers(questions, others) }
}

/** The refusal that names these fields; `prefix` is where the data stands in the input. */
export function invalidData(wrong: FieldError[], prefix: string): Refusal {
  return new Refusal('INVALID_INPUT', { fields: wrong.map(({ path, msg }) => ({ path: `${prefix}.${path}`, msg })) })
}
