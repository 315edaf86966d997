import { Refusal } from '../../../contract/errors.ts'

/** What the server says about a ticket that is not there, if it is more than that: it was handed on, or its data were deleted. */
export function reasonOf({ code, message }: Refusal): string | null {
  return code === 'NOT_FOUND' && message !== new Refusal('NOT_FOUND').message ? message : null
}
