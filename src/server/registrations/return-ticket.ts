import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/api.ts'
import type { RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { queueMail } from '../mail/queries.ts'
import { releasePlaces } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckins } from '../records/checkin-queries.ts'
import { lockRegistrations, toRegistration } from '../records/registration-queries.ts'

/**
 * Gives the places of these tickets of one event back, all of them or none; `by` is the address of an order's contact, null for the holder. The caller must have proven that they are theirs. Refuses with
 * TICKET_CANCELLED, ALREADY_CHECKED_IN, EVENT_OVER, and with HAS_PAID while the club has money for one.
 */
export async function returnTickets(
  { db, now }: Deps,
  tickets: readonly Pick<RegistrationRow, 'id' | 'eventId' | 'qrUuid'>[],
  by: string | null,
): Promise<Registration[]> {
  const ids = tickets.map(({ id }) => id)
  return db.transaction().execute(async (tx) => {
    const event = await lockEvent(tx, tickets[0]?.eventId ?? 0)
    const before = await lockRegistrations(tx, ids)
    if (!event || before.length < tickets.length) throw new Refusal('NOT_FOUND')
    // Handed on in the meantime, it is somebody else's.
    if (before.some(({ qrUuid }) => !tickets.some((ticket) => ticket.qrUuid === qrUuid)))
      throw new Refusal('TICKET_HANDED_ON')
    if (before.some(({ status }) => status === 'cancelled')) throw new Refusal('TICKET_CANCELLED')
    if ((await findCheckins(tx, ids)).some(({ status }) => status)) throw new Refusal('ALREADY_CHECKED_IN')
    if (now() >= event.endsAt) throw new Refusal('EVENT_OVER')
    if (!before.every(canReturnTicket)) throw new Refusal('HAS_PAID', { msg: texts.paidTicketStays })
    const saved = await releasePlaces(tx, before, { reason: 'holder', action: 'given back', userId: null }, now())
    for (const { id, clubId, email } of saved) {
      await queueMail(tx, { clubId, registrationId: id, kind: 'place given back' }, now())
      // Whoever has a ticket at an address of their own is told that it is void.
      const had = before.some((row) => row.id === id && row.status === 'confirmed')
      if (had && by !== null && email.toLowerCase() !== by.toLowerCase())
        await queueMail(tx, { clubId, registrationId: id, kind: 'registration cancelled' }, now())
    }
    return saved.map(toRegistration)
  })
}

/** Whether a ticket's holder may give it back: for a paid one the club decides. */
export function canReturnTicket({ amount, status }: Pick<RegistrationRow, 'amount' | 'status'>): boolean {
  return amount === 0 || status !== 'confirmed'
}
