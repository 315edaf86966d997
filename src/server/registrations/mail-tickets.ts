import { Refusal } from '../../contract/errors.ts'
import { limitTries } from '../auth/limit-tries.ts'
import { hashToken } from '../auth/tokens.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { wantTicketMails } from '../mail/queries.ts'

const MOST_BY_EMAIL = 3
const MOST_BY_ADDRESS = 30

/** Mails the tickets that an address has for an event. Nothing of the answer tells whether there are any; limited by both. */
export async function mailTickets(
  { db, now }: Deps,
  { eventId, email }: { eventId: number; email: string },
  address: string,
): Promise<void> {
  const event = await findEvent(db, eventId)
  if (!event || event.status === 'draft') throw new Refusal('NOT_FOUND')
  await limitTries(db, now(), [
    { key: `tickets:${hashToken(`${eventId} ${email.toLowerCase()}`)}`, most: MOST_BY_EMAIL },
    { key: `tickets-address:${hashToken(address)}`, most: MOST_BY_ADDRESS },
  ])
  await wantTicketMails(db, eventId, email, now())
}
