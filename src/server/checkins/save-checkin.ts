import type { Checkin } from '../../contract/checkins.ts'
import { Refusal, refusalForTicket } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange, logChanges } from '../db/changes.ts'
import type { CheckinRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import type { Deps } from '../deps.ts'
import * as checkinQueries from '../records/checkin-queries.ts'
import { findEditableRegistration } from '../records/registration-queries.ts'
import { alreadyIn } from './already-in.ts'
import * as queries from './queries.ts'

interface NewCheckin {
  registrationId: number
  status: boolean
}

/** Lets somebody in by hand, or undoes it. Refuses as a scan does: EVENT_CANCELLED, TICKET_CANCELLED, TICKET_UNPAID, ALREADY_CHECKED_IN. */
export async function saveCheckin(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { registrationId, status }: NewCheckin,
): Promise<Checkin> {
  return db.transaction().execute(async (tx) => {
    const registration = await findEditableRegistration(tx, event, registrationId)
    if (status && event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
    return status ? checkInByHand(tx, now(), caller, event, registration) : undo(tx, now(), caller, registration)
  })
}

/** Checks a registration in, as a scan would. */
async function checkInByHand(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  registration: RegistrationRow,
): Promise<Checkin> {
  const invalid = refusalForTicket(registration.status)
  if (invalid) throw new Refusal(invalid)
  const [checkin] = await letIn(tx, now, { caller, action: 'checked in' }, [registration])
  if (checkin) return checkin
  const first = await checkinQueries.findCheckin(tx, registration.id)
  throw first ? alreadyIn(event, registration.name, first) : new Refusal('ALREADY_CHECKED_IN')
}

/** Checks in those whose ticket is valid and who are not checked in yet; returns how many they are. */
export async function checkInMany(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  registrations: readonly RegistrationRow[],
): Promise<number> {
  const valid = registrations.filter(({ status }) => status === 'confirmed')
  return (await letIn(tx, now, { caller, action: 'checked in' }, valid)).length
}

/** The same for people who were ticked on the paper list; the log says so. */
export async function checkInFromPaper(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  registrations: readonly RegistrationRow[],
): Promise<number> {
  const valid = registrations.filter(({ status }) => status === 'confirmed')
  return (await letIn(tx, now, { caller, action: 'checked in from paper' }, valid)).length
}

interface Entry {
  caller: AdminCaller
  /** The action in the log. */
  action: string
}

async function letIn(tx: Tx, now: Date, { caller, action }: Entry, registrations: readonly RegistrationRow[]) {
  const admissions = registrations.map(({ id, eventId }) => ({
    registrationId: id,
    eventId,
    checkedInBy: caller.fullName,
    at: now,
    device: null,
  }))
  const made = await queries.checkInOnce(tx, admissions)
  const clubs = new Map(registrations.map(({ id, clubId }) => [id, clubId]))
  const what = {
    at: now,
    userId: caller.id,
    subject: 'checkin',
    action,
    after: { status: true },
  } as const
  await logChanges(
    tx,
    made.map(({ registrationId }) => ({
      ...what,
      clubId: clubs.get(registrationId) ?? null,
      subjectId: registrationId,
    })),
  )
  return made
}

/** Lets an attendee in at the door, with its log row; undefined when they are in already. */
export async function letInOnce(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  { id, eventId, clubId }: Pick<RegistrationRow, 'id' | 'eventId' | 'clubId'>,
  { at, device, by = caller.fullName }: { at: Date; device: string | null; by?: string },
): Promise<CheckinRow | undefined> {
  const admission = { registrationId: id, eventId, checkedInBy: by, at, device }
  const [made] = await queries.checkInOnce(tx, [admission])
  const what = { subject: 'checkin', subjectId: id, action: 'checked in', after: { status: true } } as const
  if (made) await logChange(tx, now, { clubId, userId: caller.id, ...what })
  return made
}

/** Undoes that somebody went out or came back; false when they have moved since. */
export async function takeMovementBack(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  { id, clubId }: Pick<RegistrationRow, 'id' | 'clubId'>,
  { isOut, at, before }: NonNullable<ScanOutcome['moved']>,
): Promise<boolean> {
  const movement = { isOut, at: new Date(at), before: before === null ? null : new Date(before) }
  if (!(await queries.undoMovement(tx, id, movement))) return false
  const action = isOut ? 'exit undone' : 'return undone'
  await logChange(tx, now, { clubId, userId: caller.id, subject: 'checkin', subjectId: id, action })
  return true
}

/** Undoes a check-in. */
export async function undo(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  { id, clubId }: Pick<RegistrationRow, 'id' | 'clubId'>,
): Promise<Checkin> {
  const checkin = await queries.undoCheckin(tx, id)
  if (!checkin) throw new Refusal('ILLEGAL_TRANSITION', { msg: texts.notCheckedIn })
  await logChange(tx, now, {
    clubId,
    userId: caller.id,
    subject: 'checkin',
    subjectId: id,
    action: 'undone',
    before: { status: true },
    after: { status: false },
  })
  return checkin
}
