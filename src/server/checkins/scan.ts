import { createHash } from 'node:crypto'
import type { Checkin, checkinApi } from '../../contract/checkins.ts'
import { formatTime } from '../../contract/dates.ts'
import type { Input } from '../../contract/endpoint.ts'
import { isRefusalCode, Refusal, type RefusalCode } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import { type QrContent, readQr } from '../../contract/tickets.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { ScanOutcome, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { findRegistration, lockTicket, toRegistration } from '../registrations/queries.ts'
import * as queries from './queries.ts'

type Scan = Input<typeof checkinApi.scanByRegistrationId>['payload']
type Answer = { registration: Registration; checkin: Checkin }

/** Checks a ticket in by its code. One scan wins; a scan sent again gets its first answer, also when that was a refusal. */
export async function scan(deps: Deps, caller: AdminCaller, event: OwnEvent, payload: Scan): Promise<Answer> {
  const content = readQr(payload.qrCodeData)
  if (!content)
    throw new Refusal('INVALID_QR', { fields: [{ path: 'payload.qrCodeData', msg: 'This is not a Turnout code.' }] })
  // The transaction ends with an outcome either way: a refusal is noted for the same scan's next coming, then thrown.
  const outcome = await deps.db
    .transaction()
    .execute((tx) => decideOnce(tx, deps.now(), caller, event, payload, content))
  return answerFrom(deps, event, outcome)
}

async function decideOnce(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  { scanId, scannedAt, qrCodeData }: Scan,
  content: QrContent,
): Promise<ScanOutcome> {
  if (scanId === undefined) return decide(tx, now, caller, event, content)
  const codeHash = createHash('sha256').update(qrCodeData).digest('hex')
  const note = { scanId, eventId: event.id, codeHash, scannedAt: scannedAt ?? null, receivedAt: now }
  if (!(await queries.insertScan(tx, note))) {
    const first = await queries.findScan(tx, scanId)
    if (first.eventId !== event.id || first.codeHash !== codeHash || !first.outcome) throw scanIdInUse()
    return first.outcome
  }
  const outcome = await decide(tx, now, caller, event, content)
  await queries.updateScanOutcome(tx, scanId, outcome)
  return outcome
}

async function decide(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  event: OwnEvent,
  content: QrContent,
): Promise<ScanOutcome> {
  if (content.kind === 'voucher' || content.kind === 'short voucher') return refused('WRONG_SCANNER')
  const ticket = await lockTicket(tx, event, content)
  if (!ticket) return refused('NOT_FOUND')
  if (ticket.eventId !== event.id) {
    const other = await findEvent(tx, ticket.eventId)
    return { ...refused('WRONG_EVENT', ticket.id), eventName: other?.name ?? null }
  }
  if (ticket.status === 'cancelled') return refused('TICKET_CANCELLED', ticket.id)
  if (ticket.status === 'pending') return refused('TICKET_UNPAID', ticket.id)

  const checkin = await queries.checkInOnce(tx, ticket.id, caller.fullName, now)
  if (!checkin)
    return { ...refused('ALREADY_CHECKED_IN', ticket.id), checkin: onWire(await queries.findCheckin(tx, ticket.id)) }
  await logChange(tx, now, {
    clubId: event.clubId,
    userId: caller.id,
    subject: 'checkin',
    subjectId: ticket.id,
    action: 'checked in',
    after: { status: true },
  })
  return { code: null, registrationId: ticket.id, eventName: null, checkin: onWire(checkin) }
}

async function answerFrom({ db }: Deps, event: OwnEvent, outcome: ScanOutcome): Promise<Answer> {
  const row = outcome.registrationId === null ? undefined : await findRegistration(db, outcome.registrationId)
  const checkin = row && outcome.checkin ? fromWire(outcome.checkin, row.id) : null
  if (outcome.code === null && row && checkin) return { registration: toRegistration(row), checkin }
  throw refusalFrom(outcome, event, row?.name ?? null, checkin)
}

function refusalFrom(outcome: ScanOutcome, event: OwnEvent, name: string | null, checkin: Checkin | null): Refusal {
  const code = isRefusalCode(outcome.code) ? outcome.code : 'NOT_FOUND'
  const checkinTime = checkin?.checkinTime ?? null
  if (code === 'ALREADY_CHECKED_IN' && checkin && checkinTime) {
    const msg = `Already checked in at ${formatTime(checkinTime, event.timeZone)} by ${checkin.checkedInBy}.`
    return new Refusal(code, {
      msg,
      payload: { name, checkin: { ...checkin, checkinTime: checkinTime.toISOString() } },
    })
  }
  if (code === 'WRONG_EVENT')
    return new Refusal(code, {
      msg: `This ticket is for another event: ${outcome.eventName}.`,
      payload: { eventName: outcome.eventName },
    })
  return new Refusal(code, name === null ? {} : { payload: { name } })
}

function refused(code: RefusalCode, registrationId: number | null = null): ScanOutcome {
  return { code, registrationId, checkin: null, eventName: null }
}

function scanIdInUse(): Refusal {
  return new Refusal('INVALID_INPUT', {
    fields: [{ path: 'payload.scanId', msg: 'This scanId belongs to another scan.' }],
  })
}

type Noted = NonNullable<ScanOutcome['checkin']>

function onWire(checkin: Checkin | undefined): Noted | null {
  if (!checkin) return null
  const { id, status, checkinTime, checkedInBy } = checkin
  return { id, status, checkinTime: checkinTime?.toISOString() ?? null, checkedInBy }
}

function fromWire({ checkinTime, ...noted }: Noted, registrationId: number): Checkin {
  return { ...noted, registrationId, checkinTime: checkinTime === null ? null : new Date(checkinTime) }
}
