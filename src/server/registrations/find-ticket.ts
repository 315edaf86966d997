import { Refusal } from '../../contract/errors.ts'
import { paidTogetherWith } from '../../contract/order.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { Caller } from '../access/caller.ts'
import type { HeldTicket } from '../access/held-ticket.ts'
import type { Db, RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { storeProven } from '../mail/state-queries.ts'
import { findSummary } from '../payments/payment-queries.ts'
import { receiptOf } from '../payments/receipt.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findClub } from '../records/club-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { countPeople, findRegistrationsOfOrder } from '../records/order-queries.ts'
import { haveSameCodes, toRegistration } from '../records/registration-queries.ts'
import { readTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { toEvent, translationOf } from '../records/to-event.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { canHandOn, handOnNote } from './hand-on.ts'
import { storeOpened } from './queries.ts'

/** A ticket with all that its page shows. */
export async function findTicket({ db, now }: Deps, ticket: HeldTicket, language: Language) {
  const [event, club, types = [], checkin, extras, payment, paidTogether, people] = await Promise.all([
    findEvent(db, ticket.eventId),
    findClub(db, ticket.clubId),
    readTicketTypes(db, ticket.eventId),
    findCheckin(db, ticket.id),
    findPurchases(db, [ticket.id]),
    findSummary(db, ticket.id),
    findPaidTogether(db, ticket),
    countPeople(db, [ticket.orderId]),
  ])
  if (!event || !club) throw new Refusal('NOT_FOUND')
  if (extras.length > 0 && !(await haveSameCodes(db, [ticket]))) throw new Refusal('TICKET_HANDED_ON')
  const holding = { event, registration: ticket, types, now: now() }
  const isIn = checkin?.status === true
  const ticketType = typeOf(types, ticket)
  const note = await handOnNote(db, holding, isIn)
  return {
    registration: toRegistration(ticket),
    event: { ...toEvent(event), translation: await translationOf(event, language) },
    club,
    ticketType,
    checkin: checkin ?? null,
    extras,
    payment,
    receipt: receiptOf(ticket.amount, extras, payment, ticketType?.name ?? null),
    canHandOn: note === null && canHandOn(holding, isIn),
    handOnNote: note && inLanguage(language, note),
    peopleInOrder: (ticket.orderId !== null && people.get(ticket.orderId)) || 1,
    paidTogether,
  }
}

/** For how many of its order a ticket is paid, and how much, while it is not; null when it is paid alone. */
async function findPaidTogether(db: Db, ticket: HeldTicket) {
  const isUnpaid = ticket.status === 'pending' || ticket.cancelReason === 'hold ended'
  if (ticket.orderId === null || !isUnpaid) return null
  const together = paidTogetherWith<RegistrationRow>(ticket, await findRegistrationsOfOrder(db, ticket.orderId))
  return together.length > 1
    ? { people: together.length, amount: together.reduce((sum, { amount }) => sum + amount, 0) }
    : null
}

/** Stores that the page of a ticket was opened, unless staff opened it. */
export async function openTicket(
  { db, now }: Deps,
  caller: Caller | null,
  ticket: HeldTicket,
  mailId: string | undefined,
): Promise<void> {
  if (caller === null) await storeOpened(db, ticket, now())
  if (mailId !== undefined) await storeProven(db, ticket, mailId, now())
}
