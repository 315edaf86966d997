import * as z from 'zod/mini'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import { MOST_QUESTIONS, questionFields, validateOptions } from '../../contract/forms.ts'
import { wrongFields } from '../../contract/wrong-fields.ts'
import * as texts from '../../texts/generated/answers.ts'
import { contentOf, type DraftQuestion } from './draft-questions.ts'

/** Why the form cannot be saved, at one field. */
export interface Problem {
  /** The question's key; null if it is about the form as a whole. */
  key: number | null
  /** The field within the question, such as `text` or `options.1`; or the path in the form. */
  field: string
  msg: string
}

/** The problems of all questions in their order, at most one for each field. */
export function problemsIn(drafts: readonly DraftQuestion[]): Problem[] {
  const found = drafts.flatMap((draft) => {
    const question = contentOf(draft)
    const result = z.safeParse(questionFields, question)
    const issues = result.success ? [] : result.error.issues
    const options = question.options.map((option) => option.trim())
    return [
      ...wrongFields(issues).map(({ path, msg }) => ({ key: draft.key, field: path, msg: msg() })),
      ...validateOptions({ ...question, options }, '').map(({ path, msg }) => ({
        key: draft.key,
        field: path.slice(1),
        msg: msg(),
      })),
    ]
  })
  const tooMany =
    drafts.length > MOST_QUESTIONS ? [{ key: null, field: '', msg: texts.mostQuestions({ most: MOST_QUESTIONS }) }] : []
  return [...tooMany, ...onceEach(found)]
}

/** The problems that a refusal names. */
export function problemsOf(error: unknown, drafts: readonly DraftQuestion[]): Problem[] {
  if (!(error instanceof Refusal)) throw error
  return onceEach(error.fields.map((each) => toProblem(each, drafts)))
}

function toProblem({ path, msg }: FieldError, drafts: readonly DraftQuestion[]): Problem {
  const [, index, field = ''] = /^payload\.formQuestions\.(\d+)\.(.+)$/.exec(path) ?? []
  const key = drafts[Number(index ?? -1)]?.key ?? null
  return { key, field: key === null ? path : field, msg: msg() }
}

/** A field with two problems counts once, with the first of them: an empty option need not be told that it is there twice. */
function onceEach(problems: readonly Problem[]): Problem[] {
  return problems.filter((problem, index) => problems.findIndex((each) => isSame(each, problem)) === index)
}

/** Whether two problems are at the same field. */
export function isSame(one: Problem, other: Problem): boolean {
  return one.key === other.key && one.field === other.field
}

/** The id of the page's field for a problem. */
export function fieldId({ key, field }: Pick<Problem, 'key' | 'field'>): string {
  return `question-${key}-${field.replaceAll('.', '-')}`
}
