import type { Conflict } from '../../contract/door.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChanges } from '../db/changes.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { WalkInPerson } from '../db/tables/door.ts'
import * as queries from './queries.ts'

/** A ticket that a phone let in, or a voucher it gave out, although the server refuses it. */
export interface NewConflict {
  event: OwnEvent
  caller: AdminCaller
  scanId: string
  /** Code of the refusal, as in the contract. */
  code: string
  /** As the phone sent it, which may be any number; null for somebody who was added and got no registration. */
  ticketId: number | null
  /** Who that is; left out for all others. */
  walkIn?: WalkInPerson | null
  /** The registration, if one of the own club was found; only then is there something to log. */
  registrationId: number | null
  /** The voucher and the units given out; null for a ticket. */
  voucher: string | null
  at: Date
  device: string
  /** The earlier entry or redemption, if there was one. */
  first: { at: Date | null; by: string | null; device: string | null } | null
  /** The money that was taken; left out when there was none. */
  money?: NonNullable<Conflict['money']>
}

/** Stores conflicts and logs them, each once however often its scan is sent. */
export async function storeConflicts(tx: Tx, now: Date, conflicts: readonly NewConflict[]): Promise<void> {
  const rows = conflicts.map(({ event, caller, at, first, money, walkIn, registrationId: _, ...conflict }) => ({
    ...conflict,
    walkIn: walkIn ? JSON.stringify(walkIn) : null,
    eventId: event.id,
    scannedAt: at,
    scannedBy: caller.fullName,
    firstAt: first?.at ?? null,
    firstBy: first?.by ?? null,
    firstDevice: first?.device ?? null,
    takenAs: money?.way ?? null,
    takenAmount: money?.amount ?? null,
    takenCurrency: money?.currency ?? null,
    isMoneyKept: money?.isKept ?? false,
    notedAt: now,
  }))
  const isNew = new Set((await queries.insertConflicts(tx, rows)).map(({ scanId }) => scanId))
  const changes = conflicts.flatMap(({ event, caller, scanId, code, registrationId, voucher, money }) =>
    registrationId === null || !isNew.has(scanId)
      ? []
      : [
          {
            at: now,
            clubId: event.clubId,
            userId: caller.id,
            subjectId: registrationId,
            after: { code, ...(money && { amount: money.amount, currency: money.currency }) },
            ...(voucher === null
              ? { subject: 'checkin' as const, action: 'let in against the list' }
              : { subject: 'registration' as const, action: 'voucher given out against the list' }),
          },
        ],
  )
  await logChanges(tx, changes)
}

/** An event's conflicts as the contract has them, latest first. */
export async function listConflicts(db: Db, event: OwnEvent): Promise<Conflict[]> {
  const rows = await queries.findConflicts(db, event)
  return rows.map(({ scanId, ticketId, name, walkIn, voucher, code, seenAt, seenBy, isTakenBack, ...row }) => ({
    scanId,
    registrationId: ticketId,
    name: name ?? (ticketId === null ? (walkIn?.name ?? null) : null),
    walkIn: walkIn && toWalkIn(walkIn),
    voucher,
    code,
    scan: { at: row.scannedAt, by: row.scannedBy, device: row.device },
    money:
      row.takenAs === null || row.takenAmount === null || row.takenCurrency === null
        ? null
        : { way: row.takenAs, amount: row.takenAmount, currency: row.takenCurrency, isKept: row.isMoneyKept },
    first: row.firstAt === null ? null : { at: row.firstAt, by: row.firstBy ?? '', device: row.firstDevice },
    seenAt,
    seenBy,
    isTakenBack,
  }))
}

function toWalkIn({
  email,
  phone,
  others = [],
  ticketTypeId = null,
  extrasIds = [],
}: WalkInPerson): Conflict['walkIn'] {
  const answers = others.flatMap(({ qId, answer }) => (answer === undefined ? [] : [{ qId, answer }]))
  return { email, phone, others: answers, ticketTypeId, extrasIds }
}

/** Marks conflicts of this event as looked into, by whoever did it first. */
export async function seeConflicts(
  db: Db,
  now: Date,
  event: OwnEvent,
  caller: AdminCaller,
  scanIds: readonly string[],
): Promise<void> {
  await queries.updateConflictsSeen(db, event.id, scanIds, caller.fullName, now)
}
