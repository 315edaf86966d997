import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import type { HeldTicket } from '../access/held-ticket.ts'
import { findCheckin } from '../checkins/queries.ts'
import { findClub } from '../clubs/queries.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { toEvent } from '../events/to-event.ts'
import { findPurchases } from '../extras/queries.ts'
import { noteProven } from '../mail/state-queries.ts'
import { findSummary } from '../payments/queries.ts'
import { receiptOf } from '../payments/receipt.ts'
import { noteOpened, toRegistration } from './queries.ts'

/** A ticket with all that its page shows. */
export async function findTicket({ db }: Deps, ticket: HeldTicket) {
  const [event, club, checkin, extras, payment] = await Promise.all([
    findEvent(db, ticket.eventId),
    findClub(db, ticket.clubId),
    findCheckin(db, ticket.id),
    findPurchases(db, [ticket.id]),
    findSummary(db, ticket.id),
  ])
  if (!event || !club) throw new Refusal('NOT_FOUND')
  return {
    registration: toRegistration(ticket),
    event: toEvent(event),
    club,
    checkin: checkin ?? null,
    extras,
    payment,
    receipt: receiptOf(ticket.amount, extras, payment),
  }
}

/** Stores that the page of a ticket was opened; staff who look at it are not its holder. */
export async function openTicket(
  { db, now }: Deps,
  caller: Caller | null,
  { id }: HeldTicket,
  mailId: string | undefined,
): Promise<void> {
  if (caller === null) await noteOpened(db, id, now())
  if (mailId !== undefined) await noteProven(db, id, mailId, now())
}
