import { Refusal } from '../../contract/errors.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { wantTicketMails } from '../mail/queries.ts'

/** Mails the tickets that an address has for an event. Nothing of the answer tells whether there are any; limited by both. */
export async function mailTickets(
  deps: Deps,
  { eventId, email }: { eventId: number; email: string },
  address: string,
): Promise<void> {
  const { db, now } = deps
  const event = await findEvent(db, eventId)
  if (!event || event.status === 'draft') throw new Refusal('NOT_FOUND')
  await limitTries(deps, [
    { rule: 'lost tickets by address', of: `${eventId} ${email.toLowerCase()}` },
    ...byNetwork('lost tickets by network', address),
  ])
  await wantTicketMails(db, eventId, email, now())
}
