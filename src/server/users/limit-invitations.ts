import { Refusal } from '../../contract/errors.ts'
import type { Deps } from '../deps.ts'
import { forgive, limitTries, type Try } from '../limits/limit-tries.ts'

/**
 * Sends an invitation within the limits of its club and of its address. A refused one does not count for the address, which other clubs
 * may invite, but counts for the club: refusals tell who has an account. Refuses with TOO_MANY_TRIES.
 */
export async function limitInvitations<T>(
  deps: Deps,
  { clubId, email }: { clubId: number; email: string },
  send: () => Promise<T>,
): Promise<T> {
  const toAddress: Try = { rule: 'invitations to an address', of: email.toLowerCase() }
  await limitTries(deps, [{ rule: 'invitations by club', of: String(clubId) }, toAddress])
  try {
    return await send()
  } catch (error) {
    if (error instanceof Refusal) await forgive(deps.db, [toAddress])
    throw error
  }
}
