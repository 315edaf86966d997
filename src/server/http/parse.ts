import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'

/** Reads `value` by `schema`, or refuses it naming every wrong field. */
export function parse<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const fields = result.error.issues.flatMap((issue) => {
    const at = issue.path.map(String)
    if (issue.code !== 'unrecognized_keys') return [{ path: at.join('.'), msg: issue.message }]
    return issue.keys.map((key) => ({ path: [...at, key.slice(0, 100)].join('.'), msg: issue.message }))
  })
  // Where several checks of a field failed, the first says enough.
  const first = fields.filter(({ path }, index) => fields.findIndex((each) => each.path === path) === index)
  throw new Refusal('INVALID_INPUT', { fields: first })
}
