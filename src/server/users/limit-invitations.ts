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
  // The club first: what it may not send counts for no address.
  await limitByClub(deps, clubId)
  return limitByAddress(deps, email, send)
}

/** Mails a link to somebody's new address, within the limits of the person and of the address. Refuses with TOO_MANY_TRIES. */
export async function limitNewAddresses<T>(
  deps: Deps,
  { userId, email }: { userId: number; email: string },
  send: () => Promise<T>,
): Promise<T> {
  await limitTries(deps, [{ rule: 'new addresses of a person', of: String(userId) }])
  return limitByAddress(deps, email, send)
}

/** Counts what is sent to an address that may be a stranger's, unless it is refused. */
async function limitByAddress<T>(deps: Deps, email: string, send: () => Promise<T>): Promise<T> {
  const toAddress: Try = { rule: 'invitations to an address', of: email.toLowerCase() }
  await limitTries(deps, [toAddress])
  try {
    return await send()
  } catch (error) {
    if (error instanceof Refusal) await forgive(deps.db, [toAddress])
    throw error
  }
}

/** Counts what an owner asks about an address of somebody else: the answer tells whether it has an account. Refuses with TOO_MANY_TRIES. */
export async function limitByClub(deps: Deps, clubId: number): Promise<void> {
  await limitTries(deps, [{ rule: 'invitations by club', of: String(clubId) }])
}
