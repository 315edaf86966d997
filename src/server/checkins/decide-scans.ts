import { Refusal, type RefusalCode, refusalForTicket } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { changesLogged } from '../db/changes.ts'
import type { CheckinRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { BoundStatement } from '../db/statement.ts'
import type { ScanOutcome } from '../db/tables/door.ts'
import * as checkinQueries from '../records/checkin-queries.ts'
import { findEventNames } from '../records/event-queries.ts'
import { findFormerHolders, lockedTickets } from '../records/registration-queries.ts'
import { findVoucherCodes } from '../records/voucher-queries.ts'
import { isOf, isVoucher, type ScannedCode } from '../scans/codes.ts'
import { type NewConflict, storeConflicts } from '../scans/conflicts.ts'
import { type Decisions, decideOnce } from '../scans/once.ts'
import { checkinOf, PASS_ENDED, toOutcomeCheckin } from '../scans/outcome.ts'
import * as queries from './queries.ts'

/** One scan to decide. */
export interface Scan {
  event: OwnEvent
  caller: AdminCaller
  code: ScannedCode
  codeHash: string
  scanId: string | null
  /** When the phone saw it, by the phone's clock; only noted. */
  scannedAt: Date | null
  /** When the person came in, by the server's clock. */
  at: Date
  device: string | null
  /** The phone has let them in already; if the scan is refused, that is a conflict. */
  wasShownIn: boolean
  /** Whether they go out. */
  isExit?: boolean
  /** It was made after the end of the caller's pass. It is refused, whatever the ticket is. */
  isAfterEnd?: boolean
}

/** The same with the time of its arrival, which stays however long it waits and is tried again. */
export interface Received extends Scan {
  receivedAt: Date
}

/** The outcome of a scan, with its ticket, if there is one. */
export interface Decided {
  outcome: ScanOutcome
  ticket: RegistrationRow | null
}

type Refused = RefusalCode | typeof PASS_ENDED
type Tickets = ReadonlyMap<number, RegistrationRow>

/**
 * Decides scans in one transaction and commits it; no two of them may be of the same ticket or `scanId`. Exactly one scan of a ticket wins,
 * across all servers.
 */
export async function decideScans(tx: Tx, scans: readonly Received[], now: Date): Promise<(Decided | Refusal)[]> {
  const ids = scans.flatMap(({ code }) => (isVoucher(code) ? [] : [code.id]))
  let tickets: Tickets = new Map()
  const outcomes = await decideOnce(tx, scans, {
    toRow: ({ scanId, event, codeHash, scannedAt, receivedAt }) =>
      scanId === null ? null : { scanId, eventId: event.id, codeHash, scannedAt, receivedAt },
    lock: lockedTickets(ids),
    decide: (undecided, rows) => {
      tickets = new Map(rows.map((row) => [row.id, row]))
      return decide(tx, undecided, tickets)
    },
    // Without scans that a phone let in by itself, no conflict has to be stored afterwards.
    isLast: !scans.some(({ wasShownIn }) => wasShownIn),
    // Refused by the server, but let in by the phone anyway: decided again on the current state.
    isDecidedAnew: ({ wasShownIn }, first) => wasShownIn && first.code !== null,
  })
  const decided = scans.map((scan, index): Decided | Refusal => {
    const outcome = outcomes[index]
    if (!outcome) throw new Error('A scan was left without an outcome.')
    return outcome instanceof Refusal ? outcome : { outcome, ticket: ticketOf(scan, tickets) }
  })
  await storeConflicts(tx, now, conflictsAmong(scans, decided))
  return decided
}

async function decide(tx: Tx, scans: readonly Received[], tickets: Tickets): Promise<Decisions<Received>> {
  const unknown = scans.filter((scan) => !isVoucher(scan.code) && ticketOf(scan, tickets) === null)
  const reasons = new Map<Scan, Refused>([
    // A short code says itself whether it is a voucher’s.
    ...(await vouchersAmong(
      tx,
      unknown.filter(({ code }) => code.kind === 'ticket'),
    )),
    ...(await handedOnAmong(tx, unknown, tickets)),
  ])
  const refusals = new Map(scans.map((scan) => [scan, reasons.get(scan) ?? refusalFor(scan, ticketOf(scan, tickets))]))
  const valid = scans.filter((scan) => refusals.get(scan) === null)
  const admitted = valid.filter(({ isExit }) => !isExit)
  const rows = await queries.checkInOnce(tx, admitted.map(admission))
  const made = new Map(rows.map((row) => [row.registrationId, row]))
  const moving = valid.filter(({ isExit, event, code }) => isExit || (event.allowsReentry && !made.has(code.id)))
  const moved = new Map((await queries.moveOnce(tx, moving.map(movement))).map((row) => [row.registrationId, row]))
  const tooLate = valid.flatMap(({ code: { id } }) => (made.has(id) || moved.has(id) ? [] : [id]))
  const standing = new Map((await checkinQueries.findCheckins(tx, tooLate)).map((row) => [row.registrationId, row]))
  const names = await findEventNames(tx, eventsOfWrongOnes(refusals, tickets))
  const outcomes = new Map(
    scans.map((scan): [Received, ScanOutcome] => {
      const { id } = scan.code
      const movement = moved.get(id)
      const row = made.get(id) ?? movement
      const code = refusals.get(scan) ?? (row ? null : refusalToMove(scan, standing.get(id)))
      const ticket = ticketOf(scan, tickets)
      const eventName = code === 'WRONG_EVENT' && ticket ? (names.get(ticket.eventId) ?? null) : null
      const isKnown = code === null || code === 'ALREADY_CHECKED_IN' || code === 'NOT_INSIDE'
      const checkin = isKnown ? toOutcomeCheckin(row ?? standing.get(id)) : null
      const how = movement && !refusals.get(scan) ? { moved: outcomeOf(scan, movement) } : {}
      return [scan, { code, registrationId: ticket?.id ?? null, checkin, eventName, ...how }]
    }),
  )
  return { outcomes, changes: checkinsLogged(valid, made, moved) }
}

/** Why a ticket is not valid here, whether or not it is checked in already; null when it is valid. */
function refusalFor({ code, event, isAfterEnd, isExit }: Scan, ticket: RegistrationRow | null): Refused | null {
  if (isAfterEnd) return PASS_ENDED
  if (isVoucher(code)) return 'WRONG_SCANNER'
  if (!ticket) return 'NOT_FOUND'
  if (ticket.eventId !== event.id) return code.kind === 'hand' ? 'NOT_FOUND' : 'WRONG_EVENT'
  if (event.status === 'cancelled') return 'EVENT_CANCELLED'
  // Switched off since.
  if (isExit && !event.allowsReentry) return 'ILLEGAL_TRANSITION'
  return refusalForTicket(ticket.status)
}

/** Scans with a ticket's kind of code whose secret belongs to a voucher of the own club. */
async function vouchersAmong(tx: Tx, unknown: readonly Scan[]): Promise<[Scan, Refused][]> {
  const found = await findVoucherCodes(
    tx,
    unknown.map(({ code }) => code.id),
  )
  const isVoucherOf = ({ code, event }: Scan) =>
    found.some((voucher) => voucher.id === code.id && voucher.clubId === event.clubId && isOf(code, voucher))
  return unknown.filter(isVoucherOf).map((scan) => [scan, 'WRONG_SCANNER'])
}

/** Those with the code that a ticket of the own club had before its holder gave it to somebody else. */
async function handedOnAmong(tx: Tx, unknown: readonly Scan[], tickets: Tickets): Promise<[Scan, Refused][]> {
  const own = unknown.filter(({ code, event }) => tickets.get(code.id)?.clubId === event.clubId)
  if (own.length === 0) return []
  const former = await findFormerHolders(
    tx,
    own.map(({ code }) => code.id),
  )
  return own
    .filter(({ code }) => former.some((each) => each.registrationId === code.id && isOf(code, each)))
    .map((scan) => [scan, scan.isAfterEnd ? PASS_ENDED : 'TICKET_HANDED_ON'])
}

/** The ticket of a scan, if it belongs to the own club and has the secret in the code. */
function ticketOf({ code, event }: Scan, tickets: Tickets): RegistrationRow | null {
  const ticket = isVoucher(code) ? undefined : tickets.get(code.id)
  if (!ticket || ticket.clubId !== event.clubId) return null
  return isOf(code, ticket) ? ticket : null
}

function admission({ event, code, caller, at, device }: Scan): queries.Admission {
  return { registrationId: code.id, eventId: event.id, checkedInBy: caller.fullName, at, device }
}

function movement({ code, isExit = false, at }: Scan): queries.Movement {
  return { registrationId: code.id, isOut: isExit, at }
}

function outcomeOf({ at }: Scan, { isOut, movedBefore }: queries.Moved): NonNullable<ScanOutcome['moved']> {
  return { isOut, at: at.toISOString(), before: movedBefore?.toISOString() ?? null }
}

/** Why a valid ticket's holder did not go in or out; null for an exit that became known only after they had moved again. */
function refusalToMove({ isExit, at }: Scan, standing: CheckinRow | undefined): Refused | null {
  if (!isExit) return 'ALREADY_CHECKED_IN'
  const last = standing?.movedAt ?? standing?.checkinTime
  return last && at < last ? null : 'NOT_INSIDE'
}

function eventsOfWrongOnes(refusals: ReadonlyMap<Scan, Refused | null>, tickets: Tickets): number[] {
  return [...refusals].flatMap(([scan, code]) => {
    const ticket = code === 'WRONG_EVENT' ? ticketOf(scan, tickets) : null
    return ticket ? [ticket.eventId] : []
  })
}

function checkinsLogged(
  valid: readonly Scan[],
  made: ReadonlyMap<number, CheckinRow>,
  moved: ReadonlyMap<number, CheckinRow>,
): BoundStatement<never>[] {
  const changes = valid.flatMap(({ code, caller, event, at, isExit }) => {
    if (!made.has(code.id) && !moved.has(code.id)) return []
    const action = made.has(code.id) ? 'checked in' : isExit ? 'went out' : 'came back'
    const what = { subject: 'checkin' as const, subjectId: code.id, action, after: { status: true } }
    return [{ at, clubId: event.clubId, userId: caller.id, eventId: event.id, ...what }]
  })
  return changes.length > 0 ? [changesLogged(changes)] : []
}

/** Refused scans that a phone has let in already. */
function conflictsAmong(scans: readonly Scan[], decided: readonly (Decided | Refusal)[]): NewConflict[] {
  return scans.flatMap(({ event, caller, scanId, code: { id }, at, device, wasShownIn }, index) => {
    const answer = decided[index]
    if (!wasShownIn || scanId === null || !answer || answer instanceof Refusal) return []
    const { outcome, ticket } = answer
    if (outcome.code === null) return []
    const first = checkinOf(outcome)
    return {
      event,
      caller,
      scanId,
      code: outcome.code,
      ticketId: id,
      registrationId: ticket?.id ?? null,
      voucher: null,
      at,
      device: device ?? '',
      first: first && { at: first.checkinTime, by: first.checkedInBy, device: first.device },
    }
  })
}
