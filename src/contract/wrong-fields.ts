import type * as z from 'zod/mini'
import type { FieldError } from './errors.ts'

/** What a schema refused, by the path of each field. */
export function wrongFields(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.map(({ path, message }) => ({ path: path.join('.'), msg: () => message }))
}
