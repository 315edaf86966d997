import { Refusal } from '../../contract/errors.ts'
import { byOrigin, type Limiting, limitTries, type Origin } from './limit-tries.ts'
import type { RuleName } from './rules.ts'

/**
 * Proves that somebody holds a ticket. A wrong secret counts as one more try: too many of them are refused, while correct ones from the
 * same network still work, so that nobody can lock others out of their tickets.
 */
export async function limitHolder<T>(
  server: Limiting,
  rule: RuleName,
  origin: Origin,
  prove: () => Promise<T>,
): Promise<T> {
  await limitTries(server, byOrigin(rule, origin))
  try {
    return await prove()
  } catch (error) {
    const isWrong = error instanceof Refusal && error.code === 'NOT_FOUND'
    if (isWrong) await limitTries(server, byOrigin('wrong secrets by network', origin))
    throw error
  }
}
