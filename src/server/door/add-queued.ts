import type { Device, QueuedScan } from '../../contract/door.ts'
import { isRefused, Refusal, type RefusalCode, refusalForTicket } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { addRegistration } from '../attendees/add.ts'
import type { Decided } from '../checkins/decide-scans.ts'
import { letInOnce } from '../checkins/save-checkin.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import { isConflict } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findLiveTwin, lockRegistration } from '../records/registration-queries.ts'
import { findByKeys } from '../registrations/queries.ts'
import { storeConflicts } from '../scans/conflicts.ts'
import { decideOneOnce } from '../scans/once.ts'
import { PASS_ENDED, toOutcomeCheckin } from '../scans/outcome.ts'
import { hashOf } from '../tokens.ts'
import { keepPlaceAgain, keepsPlace, takeKeptPlace } from '../walk-ins/queries.ts'
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
  deps: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  device: Device,
  queued: Queued,
): Promise<Decided> {
  const decideQueued = () => decideInTransaction(deps, caller, event, device, queued)
  return decideQueued().catch((error: unknown) => {
    // Somebody took this name by a correction at the same moment: now their ticket is found.
    if (isConflict(error, 'registrations_live_key')) return decideQueued()
    throw error
  })
}

async function decideInTransaction(
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
    const { registrationData, ticketTypeId = null, extrasIds, idempotencyKey } = act
    const codeHash = hashOf(JSON.stringify(['walk-in', registrationData, ticketTypeId, extrasIds, idempotencyKey]))
    const row = { scanId, eventId: event.id, codeHash, scannedAt: at, receivedAt: now() }
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
  const { tx, caller, event, device } = it
  const nobody = { registrationId: null, checkin: null, eventName: null }
  if (isAfterEnd(caller, it.at)) return { ...nobody, code: PASS_ENDED }
  // What a pass that has ended still sends gets no other place than those that its phone kept.
  const isBound = caller.pass?.hasEnded && event.maxAttendees !== null
  if (isBound && !(await keepsPlace(tx, event, device.id))) return { ...nobody, code: PASS_ENDED }
  let hasKeptPlace = false
  const takeKept = async () => {
    hasKeptPlace = await takeKeptPlace(tx, event.id, device.id)
  }
  const outcome = await addAndLetIn(it, takeKept).catch((error: unknown): ScanOutcome => {
    if (!isRefused(error) || error.code === 'INVALID_INPUT') throw error
    return { ...nobody, code: error.code }
  })
  // The phone counts a place as used by whoever was let in, whether they needed it or not, and by nobody else.
  if (outcome.code !== null && hasKeptPlace) await keepPlaceAgain(tx, event.id, device.id)
  if (outcome.code === null && !hasKeptPlace) await takeKept()
  return outcome
}

async function addAndLetIn(it: Case, takeKept: () => Promise<void>): Promise<ScanOutcome> {
  const { tx, now, caller, event, act, wasShownIn } = it
  const addition = { tx, now, caller, event, isIn: wasShownIn, onPlace: takeKept }
  try {
    return { ...(await letIn(it, await addRegistration(addition, act))), isAdded: true }
  } catch (error) {
    if (!isRefused(error)) throw error
    const same = await findSamePerson(it, error.code)
    // Whoever registered themselves keeps the ticket when the scan is taken back.
    if (same) return { ...(await letIn(it, same)), isAdded: error.code === 'IDEMPOTENCY_MISMATCH' }
    if (error.code !== 'IDEMPOTENCY_MISMATCH') throw error
    // The key belongs to somebody else, whom the same form added before.
    const { idempotencyKey: _, ...wish } = act
    return { ...(await letIn(it, await addRegistration(addition, wish))), isAdded: true }
  }
}

/** The registration that stands in the way of another one of the same person: theirs, or that of the same wish before it was corrected. */
async function findSamePerson({ tx, event, act }: Case, code: RefusalCode): Promise<RegistrationRow | undefined> {
  const { registrationData: person, idempotencyKey } = act
  if (code === 'ALREADY_REGISTERED') return findLiveTwin(tx, event.id, person)
  if (code !== 'IDEMPOTENCY_MISMATCH') return undefined
  const [earlier] = await findByKeys(tx, [{ eventId: event.id, idempotencyKey }])
  const isSame = (a: string, b: string) => a !== '' && a.toLowerCase() === b.toLowerCase()
  return earlier && (isSame(earlier.name, person.name) || isSame(earlier.email, person.email)) ? earlier : undefined
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
  const { registrationData, ticketTypeId = null, extrasIds } = act
  const first = checkin && {
    at: checkin.checkinTime === null ? null : new Date(checkin.checkinTime),
    by: checkin.checkedInBy,
    device: checkin.device ?? null,
  }
  const walkIn = registrationId === null ? { ...registrationData, ticketTypeId, extrasIds } : null
  await storeConflicts(tx, now, [
    {
      ...{ event, caller, scanId, at, first, walkIn, registrationId },
      ...{ code: code ?? 'NOT_FOUND', ticketId: registrationId, voucher: null, device: device.name },
    },
  ])
}
