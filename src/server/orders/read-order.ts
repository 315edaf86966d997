import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { orderApi } from '../../contract/orders.ts'
import { orderLines } from '../../contract/receipts.ts'
import type { Language } from '../../texts/language.ts'
import type { HeldOrder } from '../access/held-ticket.ts'
import type { Deps } from '../deps.ts'
import { findSummaries } from '../payments/payment-queries.ts'
import { findCheckins } from '../records/checkin-queries.ts'
import { findClub } from '../records/club-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { findRegistrationsOfHeld, isGivenAway, toOrder, toRegistrationOfOrder } from '../records/order-queries.ts'
import { readTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { toEvent, translationOf } from '../records/to-event.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { canHandOn } from '../registrations/hand-on.ts'

/** An order with all that its page shows. */
export async function readOrder(
  { db, now }: Deps,
  held: HeldOrder,
  language: Language,
): Promise<Payload<typeof orderApi.getOrder>> {
  const [event, club, types = [], rows] = await Promise.all([
    findEvent(db, held.eventId),
    findClub(db, held.clubId),
    readTicketTypes(db, held.eventId),
    findRegistrationsOfHeld(db, held),
  ])
  const order = toOrder(held, rows)
  if (!event || !club || !order) throw new Refusal('NOT_FOUND')
  const ids = rows.map(({ id }) => id)
  const [checkins, purchases, payments] = await Promise.all([
    findCheckins(db, ids),
    findPurchases(db, ids),
    findSummaries(db, ids),
  ])
  return {
    order,
    event: { ...toEvent(event), translation: await translationOf(event, language) },
    club,
    tickets: rows.map((row) => ({
      lines: orderLines(
        row.amount,
        purchases.filter(({ registrationId }) => registrationId === row.id),
        typeOf(types, row)?.name ?? null,
      ),
      registration: toRegistrationOfOrder(row),
      isHandedOn: isGivenAway(row),
      ticketType: typeOf(types, row),
      checkin: checkins.find(({ registrationId }) => registrationId === row.id) ?? null,
      payment: payments.get(row.id) ?? null,
      canHandOn:
        !isGivenAway(row) &&
        canHandOn(
          { event, registration: row, types, now: now() },
          checkins.some(({ registrationId, status }) => status && registrationId === row.id),
        ),
      voucherCount: purchases.filter(({ registrationId }) => registrationId === row.id).length,
    })),
  }
}
