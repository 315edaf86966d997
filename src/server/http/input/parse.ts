import * as z from 'zod/mini'
import { type FieldError, Refusal } from '../../../contract/errors.ts'
import * as texts from '../../../texts/generated/api.ts'
import { currentLanguage, inLanguage, type Language } from '../../../texts/language.ts'

/** Maximum number of wrong fields in an answer: more help nobody, and a body of a megabyte can have a hundred thousand. */
export const MOST_ERRORS = 100
/**
 * Maximum number of keys and list items in a body. The largest useful one, a form of 100 questions with 100 options each, has some 11,000.
 */
export const MOST_VALUES = 30_000

interface Preparing {
  /** Prepares the input for the schema. */
  prepare: (value: unknown) => unknown
  /** Whether an input that fits the schema unprepared would be left as it is. */
  isFineAsItIs?: boolean
  /** The language of the messages about wrong fields. */
  language?: () => Language
}

/**
 * Reads `value` by `schema`, or refuses it naming the wrong fields, at most `MOST_ERRORS`. Takes time linear in the input.
 */
export function parse<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  { prepare, isFineAsItIs = false, language = currentLanguage }: Preparing = { prepare: (same) => same },
): z.output<S> {
  // The schema checks every item before the length of a list, so the total is limited first.
  if (hasTooManyValues(value)) throw new Refusal('TOO_LARGE', { msg: texts.tooManyValues })
  const asItIs = isFineAsItIs ? z.safeParse(schema, value) : null
  if (asItIs?.success) return asItIs.data
  const prepared = prepare(value)
  // Zod formats the messages when the error is read.
  const [data, fields] = inLanguage(language(), () => {
    const result = z.safeParse(schema, prepared)
    return result.success ? ([result.data, null] as const) : ([null, firstErrors(result.error.issues)] as const)
  })
  if (fields) throw new Refusal('INVALID_INPUT', { fields })
  return data
}

/** The first error of each field; where several checks of one failed, one is enough. */
function firstErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  const byPath = new Map<string, FieldError>()
  for (const issue of issues) {
    const at = issue.path.map(String)
    const { message } = issue
    const names = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, MOST_ERRORS) : [null]
    for (const name of names) {
      const path = (name === null ? at : [...at, name.slice(0, 100)]).join('.')
      if (!byPath.has(path)) byPath.set(path, { path, msg: () => message })
      if (byPath.size === MOST_ERRORS) return [...byPath.values()]
    }
  }
  return [...byPath.values()]
}

function hasTooManyValues(value: unknown): boolean {
  const open = [value]
  let count = 0
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const children: unknown[] = Array.isArray(next) ? next : Object.values(next)
    count += children.length
    if (count > MOST_VALUES) return true
    for (const child of children) if (typeof child === 'object') open.push(child)
  }
  return false
}
