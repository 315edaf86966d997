import type { Device, QueuedScan } from '../../contract/door.ts'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/doorMoney.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Decided } from '../checkins/decide-scans.ts'
import { letInOnce } from '../checkins/save-checkin.ts'
import { logRegistration } from '../db/changes.ts'
import type { EventRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { queueFirstTicketMail } from '../mail/queries.ts'
import { insertDoorPayment, isPaidAtDoor, type TakenMoney } from '../payments/door-payment-queries.ts'
import { closeSession } from '../payments/payment-queries.ts'
import { confirm } from '../places/place-queries.ts'
import { endHolds } from '../places/release-queries.ts'
import { reserveAgain } from '../places/reserve-again.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findFreeOfOrder } from '../records/order-queries.ts'
import { lockRegistrations, withoutTwins } from '../records/registration-queries.ts'
import { storeConflicts } from '../scans/conflicts.ts'
import { decideOneOnce } from '../scans/once.ts'
import { PASS_ENDED, toOutcomeCheckin } from '../scans/outcome.ts'
import { hashOf } from '../tokens.ts'
import { isAfterEnd } from './may-do.ts'

type Queued = QueuedScan & { act: { kind: 'pay' } }

/** A payment to decide, in its transaction: the event and the registrations are locked. */
interface Case {
  now: Date
  caller: AdminCaller
  event: EventRow
  registration: RegistrationRow
  /** The others of their order who have nothing to pay. */
  free: readonly RegistrationRow[]
  money: TakenMoney
  /** The phone has let them in already. */
  wasShownIn: boolean
}

/**
 * Takes the money for an unpaid ticket and lets its holder in, once for each `scanId`. If the phone had done so although the server
 * refuses it, that is a conflict: the money counts as paid where there is a registration without a place, and is named in the conflict
 * where it is paid already.
 */
export async function payQueued(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  device: Device,
  { scanId, act, agoMs, wasShownIn }: Queued,
): Promise<Decided> {
  const at = new Date(now().getTime() - agoMs)
  const { registrationId, way, amount, currency } = act
  const money = { way, amount, currency, by: caller.fullName, device: device.name, at }
  return db.transaction().execute(async (tx) => {
    // The event's row first, as everywhere: one order for all locks prevents deadlocks.
    const locked = await lockEvent(tx, event.id)
    if (!locked) throw new Refusal('NOT_FOUND')
    await endHolds(tx, [event.id], now())
    const rows = await lockRegistrations(tx, [registrationId, ...(await findFreeOfOrder(tx, [registrationId]))])
    const found = rows.find(({ id }) => id === registrationId)
    const registration = found?.eventId === event.id ? found : null
    const free = rows.filter((row) => row !== found)
    const codeHash = hashOf(JSON.stringify(['pay', registrationId, way, amount, currency]))
    const row = { scanId, eventId: event.id, codeHash, scannedAt: at, receivedAt: now() }
    const nothing = { registrationId: null, checkin: null, eventName: null }
    const outcome = await decideOneOnce(
      tx,
      row,
      async () => {
        const decided = registration
          ? await decide(tx, { now: now(), caller, event: locked, registration, free, money, wasShownIn })
          : { ...nothing, code: 'NOT_FOUND' }
        return { ...decided, ...(wasShownIn && { wasShownIn }) }
      },
      // Refused when the server was asked, but the phone let them in because the answer came too late: its money is decided now.
      (first) => wasShownIn && first.code !== null && !first.wasShownIn,
    )
    if (outcome.code !== null && wasShownIn) {
      const first = outcome.checkin && {
        at: outcome.checkin.checkinTime === null ? null : new Date(outcome.checkin.checkinTime),
        by: outcome.checkin.checkedInBy,
        device: outcome.checkin.device ?? null,
      }
      const about = { ticketId: registrationId, registrationId: registration?.id ?? null, voucher: null, first }
      const taken = { way, amount, currency, isKept: outcome.paymentId !== undefined }
      await storeConflicts(tx, now(), [
        { event, caller, scanId, code: outcome.code, at, device: device.name, ...about, money: taken },
      ])
    }
    return { outcome, ticket: registration }
  })
}

async function decide(tx: Tx, it: Case): Promise<ScanOutcome> {
  const { now, caller, event, registration, free, money, wasShownIn } = it
  const { id, status, cancelReason } = registration
  const outcome = { registrationId: id, eventName: null, checkin: toOutcomeCheckin(await findCheckin(tx, id)) }
  if (isAfterEnd(caller, money.at)) return { ...outcome, code: PASS_ENDED }
  if (status === 'confirmed' || (await isPaidAtDoor(tx, id))) return { ...outcome, code: 'ALREADY_PAID' }
  if (money.amount !== registration.amount || money.currency !== registration.currency)
    throw new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.scans', msg: texts.otherAmount }] })
  // Whoever of their order has nothing to pay gets a ticket with them, unless they have another by now.
  const others = free.filter((row) => row.status === status && row.cancelReason === cancelReason)
  const wanted = [registration, ...(status === 'pending' ? others : await withoutTwins(tx, others))]
  const isEnded = cancelReason === 'hold ended' && event.status !== 'cancelled'
  // Where there is no place for all of them, whoever pays is let in alone.
  const hasPlaces = isEnded && (await takePlacesAgain(tx, wanted))
  const hasPlace = hasPlaces || (isEnded && wanted.length > 1 && (await takePlacesAgain(tx, [registration])))
  const all = status === 'pending' || hasPlaces ? wanted : [registration]
  const refusal =
    event.status === 'cancelled'
      ? 'EVENT_CANCELLED'
      : status === 'pending' || hasPlace
        ? null
        : cancelReason === 'hold ended'
          ? 'SOLD_OUT'
          : 'TICKET_CANCELLED'
  if (refusal !== null && !wasShownIn) return { ...outcome, code: refusal }
  const paymentId = await insertDoorPayment(tx, registration, money, now)
  await closeSession(tx, id, now)
  const { way, amount, currency } = money
  const log = { userId: caller.id, action: 'paid at the door', before: { status } }
  const confirmed = refusal === null && { status: 'confirmed' }
  await logRegistration(tx, now, registration, { ...log, after: { way, amount, currency, ...confirmed } })
  // The place is gone: the money is kept for staff to give back, and no seat is taken beyond the limit.
  if (refusal !== null) return { ...outcome, code: refusal, paymentId }
  for (const row of await confirm(
    tx,
    all.map((each) => each.id),
  )) {
    if (row.id !== id)
      await logRegistration(tx, now, row, { ...log, action: 'confirmed with the order', after: { ...confirmed } })
    await queueFirstTicketMail(tx, row, now)
  }
  return { ...outcome, code: null, paymentId, checkin: await checkIn(tx, it) }
}

/** Takes the places again that were released when the hold ended; false when one is gone, or somebody with such a name has one by now. */
async function takePlacesAgain(tx: Tx, registrations: readonly RegistrationRow[]): Promise<boolean> {
  const isStillMissing = (await withoutTwins(tx, registrations)).length === registrations.length
  return isStillMissing && (await reserveAgain(tx, registrations)) === null
}

async function checkIn(tx: Tx, { now, caller, registration, money }: Case): Promise<ScanOutcome['checkin']> {
  const made = await letInOnce(tx, now, caller, registration, money)
  return toOutcomeCheckin(made ?? (await findCheckin(tx, registration.id)))
}
