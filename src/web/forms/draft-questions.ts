import * as z from 'zod/mini'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import {
  type FormQuestion,
  hasOptions,
  MOST_QUESTIONS,
  type QuestionFields,
  questionFields,
  validateOptions,
} from '../../contract/forms.ts'

/** A question while it is being built; `key` stays the same wherever it moves. */
export interface DraftQuestion extends QuestionFields {
  key: string
  options: string[]
}

let lastKey = 0
const newKey = () => `draft-${++lastKey}`

export function toDraft({ id, typeId, text, required, options, showAtDoor, version }: FormQuestion): DraftQuestion {
  return { key: newKey(), id, typeId, text, required, options: [...options], showAtDoor, version }
}

export function newQuestion(): DraftQuestion {
  return { key: newKey(), typeId: 0, text: '', required: false, options: [], showAtDoor: false }
}

/** A choice starts with two empty options; its options stay when the type changes to text and back. */
export function withType(question: DraftQuestion, typeId: number): DraftQuestion {
  const options = hasOptions(typeId) && question.options.length === 0 ? ['', ''] : question.options
  return { ...question, typeId, options }
}

/** The list with the item at `from` put at `to`. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from]
  return item === undefined ? [...items] : [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** The questions as the call takes them, and their errors by path in `payload`. */
export function toQuestions(drafts: readonly DraftQuestion[]): {
  formQuestions: QuestionFields[]
  errors: FieldError[]
} {
  const formQuestions = drafts.map(({ key: _, ...question }) => ({
    ...question,
    options: hasOptions(question.typeId) ? question.options : [],
  }))
  const errors = formQuestions.flatMap((question, index) => {
    const path = `formQuestions.${index}`
    const result = z.safeParse(questionFields, question)
    const issues = result.success
      ? []
      : result.error.issues.map((issue) => ({ path: [path, ...issue.path].join('.'), msg: issue.message }))
    return [
      ...issues,
      ...validateOptions({ ...question, options: question.options.map((option) => option.trim()) }, path),
    ]
  })
  const tooMany =
    formQuestions.length > MOST_QUESTIONS
      ? [{ path: 'formQuestions', msg: `At most ${MOST_QUESTIONS} questions.` }]
      : []
  return { formQuestions, errors: [...errors, ...tooMany] }
}

/** A refusal's field errors by path in `payload`. */
export function fieldErrorsOf(error: unknown): FieldError[] {
  if (!(error instanceof Refusal)) throw error
  return error.fields.map(({ path, msg }) => ({ path: path.replace(/^payload\./, ''), msg }))
}

/** The id of the page's field for a path in `payload`. */
export function fieldId(path: string): string {
  return path.replaceAll('.', '-')
}
