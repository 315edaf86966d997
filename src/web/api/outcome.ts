import type { Refusal } from '../../contract/errors.ts'

/** Whether it is not known what became of a call: no answer came, or none of Turnout's own, whatever its status. */
export function isUnanswered({ code }: Refusal): boolean {
  return code === 'INTERNAL' || code === 'UNAVAILABLE'
}

/** Whether asking again gets the same answer, so that what asks by itself can stop. Signing in or a while changes the others. */
export function isFinal(error: Refusal | null): boolean {
  return error !== null && !isUnanswered(error) && error.status !== 401 && error.status !== 429
}
