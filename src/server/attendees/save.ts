import { randomUUID } from 'node:crypto'
import type { attendeeApi } from '../../contract/attendees.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { questionsFor } from '../../contract/forms.ts'
import { isCompanion } from '../../contract/order.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logRegistration } from '../db/changes.ts'
import type { ExtrasRow, RegistrationRow, TicketTypeRow, Tx } from '../db/schema.ts'
import type { Answer } from '../db/tables/events.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { findExtrasOf, insertPurchases, type NewPurchase } from '../extras/queries.ts'
import { findQuestions } from '../forms/queries.ts'
import { fingerprintOf } from '../places/fingerprint.ts'
import { placeRegistrations } from '../places/place-queries.ts'
import { endHolds } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findEditableRegistration, toRegistration } from '../records/registration-queries.ts'
import { findTicketTypes, ownType, storedType } from '../records/ticket-type-queries.ts'
import { checkPerson, invalidData } from '../registrations/check-person.ts'
import { correct } from '../registrations/correct.ts'
import { findByKeys } from '../registrations/queries.ts'
import { chooseExtras, stockOf } from '../registrations/register/vouchers-wanted.ts'
import { chooseTicketType, soldOut } from '../ticket-types/choose-ticket-type.ts'
import { resend } from './send-ticket.ts'

type Payload = Input<typeof attendeeApi.save>['payload']
type Data = Omit<Payload['registrationData'], 'others'> & { others: Answer[] }

/** The key that adds somebody once, and the fingerprint of its request. */
type Keyed = Pick<RegistrationRow, 'idempotencyKey' | 'fingerprint'>

/**
 * Staff add somebody, confirmed at once and also when registration is closed to visitors, or correct a registration. Capacity holds for
 * them too: SOLD_OUT, VOUCHER_SOLD_OUT. The same person twice: ALREADY_REGISTERED. Vouchers named in a correction are added to the existing
 * ones. Repeating the key returns the same registration. With the version that the caller saw, a correction is refused with EDIT_CONFLICT
 * when there is a newer one.
 */
export async function saveRegistration(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { id, ticketTypeId, registrationData, resend: isResent = false, extrasIds, version, idempotencyKey }: Payload,
): Promise<Registration> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockEvent(tx, event.id)
      const key = id === undefined && idempotencyKey !== undefined ? idempotencyKey : null
      const fingerprint =
        key === null
          ? null
          : fingerprintOf({ eventId: event.id, clubId: event.clubId, ticketTypeId, registrationData, extrasIds })
      const [same] = key === null ? [] : await findByKeys(tx, [{ eventId: event.id, idempotencyKey: key }])
      if (same && same.fingerprint !== fingerprint) throw new Refusal('IDEMPOTENCY_MISMATCH')
      if (same) return toRegistration(same)
      await endHolds(tx, [event.id], now())
      const before = id === undefined ? null : await findEditableRegistration(tx, event, id)
      if (before && version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
      const questions = await findQuestions(tx, [event.id])
      // At the door there may be no number, and staff may note one that the form does not ask for.
      const phoneField = 'optional' as const
      const types = await findTicketTypes(tx, event.id)
      const ticket = before
        ? { before, type: ownType(types, before.ticketTypeId) }
        : { before, type: choose(types, ticketTypeId) }
      const isOther = before !== null && isCompanion(before)
      const asking = {
        ...{ timeZone: event.timeZone, phoneField, questions },
        ...{ ticketTypeId: ticket.type?.id, isCompanion: isOther },
      }
      const form = { ...asking, isVisitor: false, before: before?.others ?? [] }
      const checked = checkPerson(registrationData, form)
      if ('wrong' in checked) throw invalidData(checked, 'payload.registrationData')
      const data = { ...registrationData, ...checked }
      const wanted = chooseExtras(extrasIds, await findExtrasOf(tx, [event.id]), event.id, 'payload.extrasIds')
      if (wanted instanceof Refusal) throw wanted
      const short = stockOf(wanted).whyNot(wanted)
      if (short) throw short
      if (before?.status === 'cancelled' && wanted.length > 0) throw new Refusal('TICKET_CANCELLED')
      if (ticket.before === null) {
        const { type } = ticket
        const person = { ...data, type, isOnlyType: types.length === 1, idempotencyKey: key, fingerprint }
        const added = await add(tx, now(), caller, event, person)
        await giveVouchers(tx, now(), caller, added, wanted)
        return toRegistration(added)
      }
      await giveVouchers(tx, now(), caller, ticket.before, wanted)
      const asked = questionsFor(questions, ticket.type?.id, isOther)
      const saved = await correct(tx, ticket.before, data, asked, { now: now(), userId: caller.id })
      if (isResent) await resend(tx, now(), caller, saved)
      return toRegistration(saved)
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}

/** The type of a ticket that staff add, also outside its times of sale. */
function choose(types: readonly TicketTypeRow[], id: number | undefined): TicketTypeRow {
  const type = chooseTicketType(types, { id: id ?? null, path: 'payload.ticketTypeId', now: null, code: null })
  if (type instanceof Refusal) throw type
  return type
}

async function add(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  { type, isOnlyType, ...data }: Data & Keyed & { type: TicketTypeRow; isOnlyType: boolean },
): Promise<RegistrationRow> {
  if (event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
  // Nothing is paid through us: at the door people pay on the spot.
  const free = {
    amount: 0,
    holdExpiresAt: null,
    isLimited: false,
    language: null,
    codeId: null,
    discount: 0,
    member: null,
  }
  const request = { ...data, ...free, eventId: event.id, ticketTypeId: storedType(type), qrUuid: randomUUID() }
  const [placing] = await placeRegistrations(tx, [request], now, { userId: caller.id })
  if (placing?.outcome === 'saved') return placing.row
  if (placing?.outcome === 'duplicate') throw new Refusal('ALREADY_REGISTERED')
  throw soldOut(placing?.outcome === 'type sold out' ? 'type sold out' : 'sold out', type, isOnlyType)
}

async function giveVouchers(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  registration: RegistrationRow,
  wanted: readonly ExtrasRow[],
): Promise<void> {
  if (wanted.length === 0) return
  await insertPurchases(tx, free(registration.id, wanted))
  const counts = new Map<string, number>()
  for (const { name } of wanted) counts.set(name, (counts.get(name) ?? 0) + 1)
  const units = [...counts].map(([name, count]) => ({ name, count }))
  await logRegistration(tx, now, registration, { userId: caller.id, action: 'vouchers given', after: { units } })
}

/** Vouchers given out by staff are paid on the spot, not through us. */
function free(registrationId: number, wanted: readonly ExtrasRow[]): NewPurchase[] {
  return wanted.map((extras) => ({ registrationId, extras: { ...extras, price: 0 } }))
}
