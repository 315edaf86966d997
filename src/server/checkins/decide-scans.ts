import type { Checkin } from '../../contract/checkins.ts'
import { Refusal, type RefusalCode, refusalForTicket } from '../../contract/errors.ts'
import type { QrContent } from '../../contract/values/ticket-codes.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChanges } from '../db/changes.ts'
import type { CheckinRow, RegistrationRow, ScanOutcome, Tx } from '../db/schema.ts'
import { findEventNames } from '../events/queries.ts'
import { findVoucherCodes } from '../redemptions/queries.ts'
import * as queries from './queries.ts'

/** One scan as it is to be decided. */
export interface Scan {
  event: OwnEvent
  caller: AdminCaller
  /** What was read or typed, or whom staff chose from the list. */
  code: QrContent | { kind: 'hand'; id: number }
  /** SHA-256 of what was read, in hex: the same `scanId` with another code is a mistake. */
  codeHash: string
  scanId: string | null
  /** When the phone saw it, by the phone's clock; only noted. */
  scannedAt: Date | null
  /** When the person came in, by ours. */
  at: Date
  device: string | null
  /** The phone has let them in already; if they were not to come in, that is a conflict. */
  wasShownIn: boolean
}

/** What became of it, with the ticket it was about, where there is one. */
export interface Decided {
  outcome: ScanOutcome
  ticket: RegistrationRow | null
}

type Tickets = ReadonlyMap<number, RegistrationRow>

/**
 * Decides scans in one transaction, no two of the same ticket or `scanId`. Exactly one scan of a ticket wins, here and at other
 * servers. A scan that came before gets its first outcome again.
 */
export async function decideScans(tx: Tx, scans: readonly Scan[], now: Date): Promise<(Decided | Refusal)[]> {
  const fresh = await queries.insertScans(tx, notesOf(scans, now))
  const repeated = scans.flatMap(({ scanId }) => (scanId === null || fresh.has(scanId) ? [] : [scanId]))
  const earlier = new Map((await queries.findScans(tx, repeated)).map((scan) => [scan.scanId, scan]))
  const ids = scans.flatMap(({ code }) => (isVoucher(code) ? [] : [code.id]))
  const tickets: Tickets = new Map((await queries.lockTickets(tx, ids)).map((row) => [row.id, row]))

  // One that was refused when it was asked, and shown as valid since, is decided as things are now.
  const isFirst = ({ scanId, wasShownIn, codeHash, event }: Scan) => {
    const first = earlier.get(scanId ?? '')
    const isRefused = first?.outcome?.code != null && first.eventId === event.id && first.codeHash === codeHash
    return !first || (isRefused && wasShownIn)
  }
  const outcomes = await decideFirst(tx, scans.filter(isFirst), tickets)
  const decided = scans.map((scan): Decided | Refusal => {
    const ticket = ticketOf(scan, tickets)
    const outcome = outcomes.get(scan)
    if (outcome) return { outcome, ticket }
    const first = earlier.get(scan.scanId ?? '')
    const isSame = first?.eventId === scan.event.id && first.codeHash === scan.codeHash
    return isSame && first.outcome ? { outcome: first.outcome, ticket } : scanIdInUse()
  })
  await noteConflicts(tx, now, scans, decided)
  return decided
}

/** Decides the scans that have not come before, and notes their outcomes for the next time they come. */
async function decideFirst(tx: Tx, scans: readonly Scan[], tickets: Tickets): Promise<Map<Scan, ScanOutcome>> {
  const vouchers = await vouchersAmong(tx, scans, tickets)
  const refusals = new Map(
    scans.map((scan) => [
      scan,
      vouchers.has(scan) ? ('WRONG_SCANNER' as const) : whyNot(scan, ticketOf(scan, tickets)),
    ]),
  )
  const admitted = scans.filter((scan) => refusals.get(scan) === null)
  const rows = await queries.checkInOnce(tx, admitted.map(admission))
  const made = new Map(rows.map((row) => [row.registrationId, row]))
  const tooLate = admitted.flatMap(({ code }) => (isVoucher(code) || made.has(code.id) ? [] : [code.id]))
  const standing = new Map((await queries.findCheckins(tx, tooLate)).map((row) => [row.registrationId, row]))
  const names = await findEventNames(tx, eventsOfWrongOnes(refusals, tickets))
  await logCheckins(tx, admitted, made)

  const outcomes = new Map(
    scans.map((scan): [Scan, ScanOutcome] => {
      const { id } = scan.code
      const row = made.get(id)
      const code = refusals.get(scan) ?? (row ? null : 'ALREADY_CHECKED_IN')
      const ticket = ticketOf(scan, tickets)
      const eventName = code === 'WRONG_EVENT' && ticket ? (names.get(ticket.eventId) ?? null) : null
      const checkin = code === null || code === 'ALREADY_CHECKED_IN' ? onWire(row ?? standing.get(id)) : null
      return [scan, { code, registrationId: ticket?.id ?? null, checkin, eventName }]
    }),
  )
  const toNote = scans.flatMap((scan): [string, ScanOutcome][] => {
    const outcome = outcomes.get(scan)
    return scan.scanId !== null && outcome ? [[scan.scanId, outcome]] : []
  })
  await queries.updateScanOutcomes(tx, new Map(toNote))
  return outcomes
}

/** Why a ticket does not come in, whether or not it is in already; null when nothing speaks against it. */
function whyNot({ code, event }: Scan, ticket: RegistrationRow | null): RefusalCode | null {
  if (isVoucher(code)) return 'WRONG_SCANNER'
  if (!ticket) return 'NOT_FOUND'
  if (ticket.eventId !== event.id) return code.kind === 'hand' ? 'NOT_FOUND' : 'WRONG_EVENT'
  if (event.status === 'cancelled') return 'EVENT_CANCELLED'
  return refusalForTicket(ticket.status)
}

/** Those that do not say so, but whose secret is that of a voucher of the own club. */
async function vouchersAmong(tx: Tx, scans: readonly Scan[], tickets: Tickets): Promise<Set<Scan>> {
  const unknown = scans.filter((scan) => scan.code.kind === 'ticket' && ticketOf(scan, tickets) === null)
  const found = await findVoucherCodes(
    tx,
    unknown.map(({ code }) => code.id),
  )
  const isVoucherOf = ({ code, event }: Scan) =>
    found.some((voucher) => voucher.id === code.id && voucher.clubId === event.clubId && isOf(code, voucher))
  return new Set(unknown.filter(isVoucherOf))
}

/** Whether a code is a voucher's, which the ticket scanner only tells apart. */
export function isVoucher({ kind }: Scan['code']): boolean {
  return kind === 'voucher' || kind === 'short voucher'
}

/** The ticket that a scan is about: of the own club, and with the secret that the code says. */
function ticketOf({ code, event }: Scan, tickets: Tickets): RegistrationRow | null {
  const ticket = isVoucher(code) ? undefined : tickets.get(code.id)
  if (!ticket || ticket.clubId !== event.clubId) return null
  return isOf(code, ticket) ? ticket : null
}

/** Whether a code says the ticket's secret, or the start of it; staff who choose from their list need none. */
export function isOf(code: Scan['code'], { qrUuid }: Pick<RegistrationRow, 'qrUuid'>): boolean {
  if ('qrUuid' in code) return qrUuid === code.qrUuid
  return 'qrStart' in code ? qrUuid.startsWith(code.qrStart) : true
}

function admission({ code, caller, at, device }: Scan): queries.Admission {
  return { registrationId: code.id, checkedInBy: caller.fullName, at, device }
}

function notesOf(scans: readonly Scan[], receivedAt: Date) {
  return scans.flatMap(({ scanId, event, codeHash, scannedAt }) =>
    scanId === null ? [] : [{ scanId, eventId: event.id, codeHash, scannedAt, receivedAt }],
  )
}

function eventsOfWrongOnes(refusals: ReadonlyMap<Scan, RefusalCode | null>, tickets: Tickets): number[] {
  return [...refusals].flatMap(([scan, code]) => {
    const ticket = code === 'WRONG_EVENT' ? ticketOf(scan, tickets) : null
    return ticket ? [ticket.eventId] : []
  })
}

function logCheckins(tx: Tx, admitted: readonly Scan[], made: ReadonlyMap<number, CheckinRow>): Promise<void> {
  const changes = admitted.flatMap(({ code, caller, event, at }) =>
    made.has(code.id)
      ? [
          {
            at,
            clubId: event.clubId,
            userId: caller.id,
            subject: 'checkin' as const,
            subjectId: code.id,
            action: 'checked in',
            after: { status: true },
          },
        ]
      : [],
  )
  return logChanges(tx, changes)
}

/** What a phone let in although it was not to come in goes on the event's list, once. */
async function noteConflicts(tx: Tx, now: Date, scans: readonly Scan[], decided: readonly (Decided | Refusal)[]) {
  const lost = scans.flatMap((scan, index) => {
    const answer = decided[index]
    if (!scan.wasShownIn || scan.scanId === null || !answer || answer instanceof Refusal) return []
    const { code, checkin } = answer.outcome
    return code === null
      ? []
      : [
          {
            scan,
            scanId: scan.scanId,
            code,
            ticket: answer.ticket,
            first: checkin ? fromWire(checkin, scan.code.id) : null,
          },
        ]
  })
  const noted = await queries.insertConflicts(
    tx,
    lost.map(
      ({
        scan: {
          event,
          code: { id },
          caller,
          at,
          device,
        },
        scanId,
        code,
        first,
      }) => ({
        scanId,
        eventId: event.id,
        ticketId: id,
        voucher: null,
        code,
        scannedAt: at,
        scannedBy: caller.fullName,
        device: device ?? '',
        firstAt: first?.checkinTime ?? null,
        firstBy: first?.checkedInBy ?? null,
        firstDevice: first?.device ?? null,
        notedAt: now,
      }),
    ),
  )
  const isNew = new Set(noted.map(({ scanId }) => scanId))
  await logChanges(
    tx,
    lost
      .filter(({ scanId }) => isNew.has(scanId))
      .flatMap(({ scan: { event, caller }, ticket, code }) =>
        // A phone may send any number: only of a ticket found in the own club there is something to tell.
        ticket === null
          ? []
          : [
              {
                at: now,
                clubId: event.clubId,
                userId: caller.id,
                subject: 'checkin' as const,
                subjectId: ticket.id,
                action: 'let in against the list',
                after: { code },
              },
            ],
      ),
  )
}

function scanIdInUse(): Refusal {
  return new Refusal('INVALID_INPUT', {
    fields: [{ path: 'payload.scanId', msg: 'This scanId belongs to another scan.' }],
  })
}

type Noted = NonNullable<ScanOutcome['checkin']>

/** A check-in as it is noted with a scan. */
export function onWire(checkin: CheckinRow | undefined): Noted | null {
  if (!checkin) return null
  const { id, status, checkinTime, checkedInBy, device } = checkin
  return { id, status, checkinTime: checkinTime?.toISOString() ?? null, checkedInBy, device }
}

/** A check-in as it was noted with a scan. */
export function fromWire({ checkinTime, device, ...noted }: Noted, registrationId: number): Checkin {
  return {
    ...noted,
    registrationId,
    checkinTime: checkinTime === null ? null : new Date(checkinTime),
    device: device ?? null,
  }
}
