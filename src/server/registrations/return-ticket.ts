import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/api.ts'
import type { HeldTicket } from '../access/held-ticket.ts'
import type { RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queries.ts'
import { releasePlace } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { lockRegistration, toRegistration } from '../records/registration-queries.ts'

/**
 * Gives the place of a ticket back. Refuses with TICKET_CANCELLED, ALREADY_CHECKED_IN, EVENT_OVER, and with HAS_PAID while the
 * club has money for it.
 */
export async function returnTicket({ db, now }: Deps, ticket: HeldTicket): Promise<Registration> {
  return db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, ticket.eventId)
    const before = await lockRegistration(tx, ticket.id)
    if (!event || !before) throw new Refusal('NOT_FOUND')
    if (before.status === 'cancelled') throw new Refusal('TICKET_CANCELLED')
    if ((await findCheckin(tx, before.id))?.status) throw new Refusal('ALREADY_CHECKED_IN')
    if (now() >= event.endsAt) throw new Refusal('EVENT_OVER')
    if (!canReturnTicket(before)) throw new Refusal('HAS_PAID', { msg: texts.paidTicketStays })
    const saved = await releasePlace(tx, before, { reason: 'holder', action: 'given back', userId: null }, now())
    await queueMail(tx, { clubId: before.clubId, registrationId: ticket.id, kind: 'place given back' }, now())
    return toRegistration(saved)
  })
}

/** Whether a ticket's holder may give it back: for a paid one the club decides. */
export function canReturnTicket({ amount, status }: Pick<RegistrationRow, 'amount' | 'status'>): boolean {
  return amount === 0 || status !== 'confirmed'
}
