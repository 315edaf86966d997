import type { Device, QueuedScan } from '../../contract/door.ts'
import { isRefused, Refusal, type RefusalCode, refusalForTicket } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { addRegistration } from '../attendees/add.ts'
import type { Decided } from '../checkins/decide-scans.ts'
import { letInOnce } from '../checkins/save-checkin.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findLiveTwin, lockRegistration } from '../records/registration-queries.ts'
import { findByKeys } from '../registrations/queries.ts'
import { storeConflicts } from '../scans/conflicts.ts'
import { decideOneOnce } from '../scans/once.ts'
import { PASS_ENDED, toOutcomeCheckin } from '../scans/outcome.ts'
import { hashOf } from '../tokens.ts'
import { keepPlaceAgain, takeKeptPlace } from '../walk-ins/queries.ts'
import { isAfterEnd } from './may-do.ts'

type Queued = QueuedScan & { act: { kind: 'walk-in' } }

/** A walk-in to decide, in its transaction: the event is locked. */
interface Case {
  tx: Tx
  now: Date
  caller: AdminCaller
  event: OwnEvent
  device: Device
  /** When they came in. */
  at: Date
  act: Queued['act']
  wasShownIn: boolean
}

/**
 * Adds somebody who came without a ticket and lets them in, once for each `scanId`, on a place that the phone keeps if it keeps one. If the
 * phone had done so although the server refuses it, that is a conflict. Somebody who is registered already comes in with that ticket.
 */
export async function addQueued(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  device: Device,
  { scanId, act, agoMs, wasShownIn }: Queued,
): Promise<Decided> {
  const at = new Date(now().getTime() - agoMs)
  return db.transaction().execute(async (tx) => {
    const locked = await lockEvent(tx, event.id)
    if (!locked) throw new Refusal('NOT_FOUND')
    const row = { scanId, eventId: event.id, codeHash: hashOf(JSON.stringify(act)), scannedAt: at, receivedAt: now() }
    const it = { tx, now: now(), caller, event: { ...event, ...locked }, device, at, act, wasShownIn }
    const outcome = await decideOneOnce(tx, row, async () => {
      const decided = await decide(it)
      if (decided.code !== null && wasShownIn) await storeConflict(it, scanId, decided)
      return decided
    })
    const { registrationId } = outcome
    return { outcome, ticket: registrationId === null ? null : ((await lockRegistration(tx, registrationId)) ?? null) }
  })
}

async function decide(it: Case): Promise<ScanOutcome> {
  const { tx, now, caller, event, device, act, wasShownIn } = it
  const nobody = { registrationId: null, checkin: null, eventName: null }
  if (isAfterEnd(caller, it.at)) return { ...nobody, code: PASS_ENDED }
  let hasKeptPlace = false
  const takeKept = async () => {
    hasKeptPlace = await takeKeptPlace(tx, event.id, device.id)
  }
  try {
    const added = await addRegistration({ tx, now, caller, event, isIn: wasShownIn, onPlace: takeKept }, act)
    const outcome = await letIn(it, added)
    // Added before by the same wish, on another place: what the phone has counted as used is free.
    if (outcome.code === null && !hasKeptPlace) await takeKept()
    return { ...outcome, isAdded: true }
  } catch (error) {
    if (!isRefused(error) || error.code === 'INVALID_INPUT') throw error
    const twin = await findSamePerson(it, error.code)
    const outcome = twin ? await letIn(it, twin) : { ...nobody, code: error.code }
    // The phone counts a place as used by whoever was let in, and by nobody else.
    if (outcome.code !== null && hasKeptPlace) await keepPlaceAgain(tx, event.id, device.id)
    if (outcome.code === null && !hasKeptPlace) await takeKept()
    return outcome
  }
}

/** The registration that stands in the way of another one: of the same person, or of an earlier wish with this key that was corrected since. */
async function findSamePerson({ tx, event, act }: Case, code: RefusalCode): Promise<RegistrationRow | undefined> {
  if (code === 'ALREADY_REGISTERED') return findLiveTwin(tx, event.id, act.registrationData)
  if (code !== 'IDEMPOTENCY_MISMATCH') return undefined
  return (await findByKeys(tx, [{ eventId: event.id, idempotencyKey: act.idempotencyKey }]))[0]
}

/** Lets a registration in, if it is valid and not in yet. */
async function letIn({ tx, now, caller, device, at }: Case, registration: RegistrationRow): Promise<ScanOutcome> {
  const { id, status } = registration
  const outcome = { registrationId: id, eventName: null }
  if (status !== 'confirmed') return { ...outcome, checkin: null, code: refusalForTicket(status) }
  const made = await letInOnce(tx, now, caller, registration, { at, device: device.name })
  return made
    ? { ...outcome, checkin: toOutcomeCheckin(made), code: null }
    : { ...outcome, checkin: toOutcomeCheckin(await findCheckin(tx, id)), code: 'ALREADY_CHECKED_IN' }
}

async function storeConflict(it: Case, scanId: string, { code, registrationId, checkin }: ScanOutcome): Promise<void> {
  const { tx, now, caller, event, device, at, act } = it
  const { name, email, phone } = act.registrationData
  const first = checkin && {
    at: checkin.checkinTime === null ? null : new Date(checkin.checkinTime),
    by: checkin.checkedInBy,
    device: checkin.device ?? null,
  }
  const walkIn = registrationId === null ? { name, email, phone } : null
  await storeConflicts(tx, now, [
    {
      ...{ event, caller, scanId, at, first, walkIn, registrationId },
      ...{ code: code ?? 'NOT_FOUND', ticketId: registrationId, voucher: null, device: device.name },
    },
  ])
}
