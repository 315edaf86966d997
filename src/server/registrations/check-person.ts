import { type FieldError, Refusal } from '../../contract/errors.ts'
import { keptAnswers, wrongAnswers } from '../../contract/forms.ts'
import { countryOfZone, toE164 } from '../../contract/phones.ts'
import type { RegistrationData } from '../../contract/registrations.ts'
import type { Answer, FormQuestionRow } from '../db/schema.ts'
import { hasWebAddress } from './web-address.ts'

type Given = Pick<RegistrationData, 'phone' | 'others'>

/**
 * What was filled in, as it is kept: the phone number in E.164 (read as one of the event's country where it names none; empty
 * stays empty), the answers with their questions' words. Or what is wrong with it. A visitor's name is judged too, because it
 * stands in mails; staff write what they want.
 */
export function checkPerson(
  { phone, others }: Given,
  timeZone: string,
  questions: FormQuestionRow[],
  visitorsName = '',
): { phone: string; others: Answer[] } | { wrong: FieldError[] } {
  const number = phone === '' ? '' : toE164(phone, countryOfZone(timeZone))
  const wrong = wrongAnswers(questions, others)
  if (number === null) wrong.unshift({ path: 'phone', msg: 'Enter a phone number like +44 20 7946 0958.' })
  if (hasWebAddress(visitorsName)) wrong.unshift({ path: 'name', msg: 'Enter a name, not a web address.' })
  return wrong.length > 0 || number === null ? { wrong } : { phone: number, others: keptAnswers(questions, others) }
}

/** The refusal that names these fields; `prefix` is where the data stands in the input. */
export function invalidData(wrong: FieldError[], prefix: string): Refusal {
  return new Refusal('INVALID_INPUT', { fields: wrong.map(({ path, msg }) => ({ path: `${prefix}.${path}`, msg })) })
}
