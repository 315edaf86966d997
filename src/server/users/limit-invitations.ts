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
  // The club first: what it may not send counts for no address.
  await limitByClub(deps, clubId)
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

/** Counts the links to new addresses that somebody asks for, and those to an address, which may be a stranger's. Refuses with TOO_MANY_TRIES. */
export async function limitNewAddresses(deps: Deps, userId: number, email: string): Promise<void> {
  await limitTries(deps, [
    { rule: 'new addresses of a person', of: String(userId) },
    { rule: 'invitations to an address', of: email.toLowerCase() },
  ])
}
