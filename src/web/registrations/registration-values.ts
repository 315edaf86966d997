import * as z from 'zod/mini'
import { isRefused, type Refusal } from '../../contract/errors.ts'
import { type FormQuestion, typeOf, validateAnswers } from '../../contract/forms.ts'
import { type RegistrationData, registrationData } from '../../contract/registrations.ts'

/** Error messages by the name of the field in the form. */
export type FieldErrors = Readonly<Record<string, string>>

/** The name of a question's inputs in the form. */
export function questionName({ id }: Pick<FormQuestion, 'id'>): string {
  return `question-${id}`
}

/** What the form holds now. */
export function readValues(form: HTMLFormElement, questions: readonly FormQuestion[]): RegistrationData {
  return valuesOf(new FormData(form), questions)
}

/** What was filled in, as the call takes it. Every question has its place in `others`, answered or not. */
export function valuesOf(data: FormData | URLSearchParams, questions: readonly FormQuestion[]): RegistrationData {
  const text = (name: string) => String(data.get(name) ?? '')
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    others: questions.map((question) => {
      const name = questionName(question)
      const answer = typeOf(question) === 'Checkboxes' ? data.getAll(name).map(String) : text(name)
      return { qId: question.id, answer }
    }),
  }
}

/** Validates the values by the same rules as the server. */
export function errorsIn(values: RegistrationData, questions: readonly FormQuestion[]): FieldErrors {
  const result = z.safeParse(registrationData, values)
  const issues = result.success
    ? []
    : result.error.issues.map(({ path, message }) => ({ path: path.join('.'), msg: message }))
  return byName([...issues, ...validateAnswers(questions, values.others)], questions).errors
}

const prefix = /^(?:newRegistration|payload)\.registrationData\./

/** A refusal's field errors by the form's names, and the words of those that belong to no field. */
export function errorsOf(
  refusal: Refusal,
  questions: readonly FormQuestion[],
): { errors: FieldErrors; rest: string[] } {
  return byName(
    refusal.fields.map(({ path, msg }) => ({ path: path.replace(prefix, ''), msg })),
    questions,
  )
}

function byName(found: readonly { path: string; msg: string }[], questions: readonly FormQuestion[]) {
  const errors: Record<string, string> = {}
  const rest: string[] = []
  for (const { path, msg } of found) {
    const question = questions[Number(/^others\.(\d+)\./.exec(path)?.[1] ?? -1)]
    const name = question ? questionName(question) : path
    if (question || path === 'name' || path === 'email' || path === 'phone') errors[name] ??= msg
    else rest.push(msg)
  }
  return { errors, rest }
}

/** A try that may have arrived has a key: sending it again makes no second registration. */
export function wordsOf(error: Refusal): string {
  const isKnown: boolean = isRefused(error)
  return isKnown ? error.message : `${error.message} Trying again never registers you twice.`
}
