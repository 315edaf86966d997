import * as z from 'zod/mini'
import { type FieldError, isRefused, type Refusal } from '../../contract/errors.ts'
import { type AnswerValue, type FormQuestion, typeOf, validateAnswers } from '../../contract/forms.ts'
import { type PhoneField, validatePhone } from '../../contract/phone-field.ts'
import { type RegistrationData, registrationData } from '../../contract/registrations.ts'
import { wrongFields } from '../../contract/wrong-fields.ts'
import * as texts from '../../texts/generated/registration.ts'
import { CODE, type Draft, MEMBER } from './typed.ts'

/** Error messages by the name of the field in the form. */
export type FieldErrors = Readonly<Record<string, string>>

/** The name of a question's inputs in the form. */
export function questionName({ id }: Pick<FormQuestion, 'id'>): string {
  return `question-${id}`
}

/** The form's current values. */
export function readValues(form: HTMLFormElement, questions: readonly FormQuestion[]): RegistrationData {
  return valuesOf(new FormData(form), questions)
}

/** The earlier answer to a question in a draft. */
export function draftAnswer(draft: Draft, question: FormQuestion, prefix = ''): AnswerValue | undefined {
  const answers = draft[prefix + questionName(question)]
  return typeOf(question) === 'Checkboxes' ? answers : answers?.[0]
}

/** The form's values as the call takes them, of the fields whose names begin with `prefix`. Every question has an entry in `others`, answered or not. */
export function valuesOf(
  data: FormData | URLSearchParams,
  questions: readonly FormQuestion[],
  prefix = '',
): RegistrationData {
  const text = (name: string) => String(data.get(prefix + name) ?? '')
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    others: questions.map((question) => {
      const name = questionName(question)
      const answer = typeOf(question) === 'Checkboxes' ? data.getAll(prefix + name).map(String) : text(name)
      return { qId: question.id, answer }
    }),
  }
}

/** What an event's form asks for beside name and e-mail. */
export interface AskedFields {
  questions: readonly FormQuestion[]
  phoneField: PhoneField
}

/** Validates the values by the same rules as the server: `schema` is the call's. */
export function errorsIn(
  values: RegistrationData,
  { questions, phoneField }: AskedFields,
  schema: z.ZodMiniType<RegistrationData> = registrationData,
): FieldErrors {
  const result = z.safeParse(schema, values)
  const issues = result.success ? [] : wrongFields(result.error.issues)
  const noPhone = validatePhone(phoneField, values.phone.trim())
  if (noPhone !== null) issues.push({ path: 'phone', msg: noPhone })
  return byName([...issues, ...validateAnswers(questions, values.others)], questions).errors
}

const prefix = /^(?:newRegistration|payload)\.registrationData\./

/** A refusal's errors by the names of the form's fields, and the messages that belong to no field. */
export function errorsOf(
  refusal: Pick<Refusal, 'fields'>,
  questions: readonly FormQuestion[],
): { errors: FieldErrors; rest: string[] } {
  return byName(
    refusal.fields.map(({ path, msg }) => ({ path: path.replace(prefix, ''), msg })),
    questions,
  )
}

function byName(found: readonly FieldError[], questions: readonly FormQuestion[]) {
  const errors: Record<string, string> = {}
  const rest: string[] = []
  for (const { path, msg } of found) {
    const question = questions[Number(/^others\.(\d+)\./.exec(path)?.[1] ?? -1)]
    const name = question ? questionName(question) : path
    if (question || path === 'name' || path === 'email' || path === 'phone' || path === CODE) errors[name] ??= msg()
    else if (path === 'newRegistration.memberId') errors[MEMBER] ??= msg()
    else rest.push(msg())
  }
  return { errors, rest }
}

/** The message of a failed try. If it may have arrived, adds that trying again is safe, because its key prevents a second registration. */
export function wordsOf(error: Refusal): string {
  const isKnown: boolean = isRefused(error)
  return isKnown ? error.message : texts.triesAreSafe({ problem: error.message })
}
