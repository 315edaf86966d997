import { type FieldError, Refusal } from '../../contract/errors.ts'
import { keptAnswers, questionsFor, validateAnswers } from '../../contract/forms.ts'
import { keptPhone, type PhoneField, validatePhone } from '../../contract/phone-field.ts'
import type { RegistrationData } from '../../contract/registrations.ts'
import { countryOfZone, toE164 } from '../../contract/values/phones.ts'
import * as answerTexts from '../../texts/generated/answers.ts'
import * as texts from '../../texts/generated/api.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import type { Message } from '../../texts/language.ts'
import type { FormQuestionRow } from '../db/schema.ts'
import type { Answer } from '../db/tables/events.ts'
import { hasWebAddress } from './web-address.ts'

type Given = Pick<RegistrationData, 'name' | 'phone' | 'others'>

interface Form {
  timeZone: string
  /** Whether the form asks for a phone number. */
  phoneField: PhoneField
  /** Those of the event. */
  questions: readonly FormQuestionRow[]
  /** The type of the ticket, which decides what is asked. */
  ticketTypeId: number | undefined
  /** Whether somebody else registered them, who answers for the order. */
  isCompanion: boolean
  /** Whether a visitor fills it in, not staff. */
  isVisitor: boolean
  /** The earlier answers: one to a question that is no longer asked may come again, and is ignored. */
  before?: readonly Answer[]
}

/** The wrong fields, and a message that names the question if the first of them is an answer. */
interface Wrong {
  wrong: FieldError[]
  msg: Message | undefined
}

/**
 * The data as stored: the phone number in E.164 (read as one of the event's country when it has no country code; empty if there is none),
 * the answers with their questions' text. Or the errors in it. A visitor's name is checked too, because it appears in mails; staff write
 * what they want.
 */
export function checkPerson(
  { name, phone: typed, others: given }: Given,
  { timeZone, phoneField, questions: all, ticketTypeId, isCompanion, isVisitor, before = [] }: Form,
): { phone: string; others: Answer[] } | Wrong {
  const questions = questionsFor(all, ticketTypeId, isCompanion)
  const isIn = (asked: readonly FormQuestionRow[], qId: number) => asked.some(({ id }) => id === qId)
  // Those who know nothing of ticket types answer every question.
  const isIgnored = (qId: number) =>
    !isIn(questions, qId) && (isIn(all, qId) || before.some((answer) => answer.qId === qId))
  const others = given.filter(({ qId }) => !isIgnored(qId))
  const phone = keptPhone(phoneField, typed)
  const number = phone === '' ? '' : toE164(phone, countryOfZone(timeZone))
  const wrong = validateAnswers(questions, others)
  const msg = number === null ? fieldTexts.phoneLike : validatePhone(phoneField, number)
  if (msg !== null) wrong.unshift({ path: 'phone', msg })
  if (isVisitor && hasWebAddress(name)) wrong.unshift({ path: 'name', msg: texts.nameIsWebAddress })
  if (wrong.length === 0 && number !== null) return { phone: number, others: keptAnswers(questions, others) }
  const placeOf = (index: number) => {
    const answer = others[index]
    return answer ? given.indexOf(answer) : index - others.length + given.length
  }
  return {
    wrong: wrong.map(({ path, msg }) => ({
      path: path.replace(/^others\.(\d+)/, (_, index) => `others.${placeOf(Number(index))}`),
      msg,
    })),
    msg: nameQuestion(wrong, questions, others),
  }
}

/** The first error with its question's text in front, as in “Meal: Choose an option.”; undefined if it is not about an answer. */
function nameQuestion(
  [first]: FieldError[],
  questions: FormQuestionRow[],
  others: Given['others'],
): Message | undefined {
  const index = /^others\.(\d+)\.answer$/.exec(first?.path ?? '')?.[1]
  const question = questions.find(({ id }) => id === others[Number(index)]?.qId)
  return first && question && (() => answerTexts.aboutQuestion({ question: question.text, problem: first.msg() }))
}

/** The refusal that names these fields; `prefix` is where the data stands in the input. */
export function invalidData({ wrong, msg }: Wrong, prefix: string): Refusal {
  const fields = wrong.map((error) => ({ path: `${prefix}.${error.path}`, msg: error.msg }))
  return new Refusal('INVALID_INPUT', { fields, ...(msg !== undefined && { msg }) })
}
