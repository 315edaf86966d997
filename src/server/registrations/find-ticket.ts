import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { findCheckin } from '../checkins/queries.ts'
import { findClub } from '../clubs/queries.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { toEvent } from '../events/to-event.ts'
import { findPurchases } from '../extras/queries.ts'
import { noteProven } from '../mail/state-queries.ts'
import { findSummary } from '../payments/queries.ts'
import { receiptOf } from '../payments/receipt.ts'
import { findRegistration, noteOpened, toRegistration } from './queries.ts'

interface Asked {
  registrationId: number
  qrUuid?: string | undefined
}

/**
 * A ticket with all that its page shows, for who holds its secret, or who works for its club and names none; for anyone else it is
 * not there. A secret that is named must match, for staff too: a made-up code must not look valid on their phones.
 */
export async function findTicket({ db }: Deps, caller: Caller | null, { registrationId, qrUuid }: Asked) {
  const row = await findRegistration(db, registrationId)
  const isOwn = row !== undefined && caller?.role === 'admin' && caller.clubId === row.clubId
  const mayRead = qrUuid === undefined ? isOwn : row !== undefined && isSame(row.qrUuid, qrUuid)
  if (!row || !mayRead) throw new Refusal('NOT_FOUND')
  const [event, club, checkin, extras, payment] = await Promise.all([
    findEvent(db, row.eventId),
    findClub(db, row.clubId),
    findCheckin(db, row.id),
    findPurchases(db, [row.id]),
    findSummary(db, row.id),
  ])
  if (!event || !club) throw new Refusal('NOT_FOUND')
  return {
    registration: toRegistration(row),
    event: toEvent(event),
    club,
    checkin: checkin ?? null,
    extras,
    payment,
    receipt: receiptOf(row.amount, extras, payment),
  }
}

/** The page of a ticket was opened by who holds its secret; staff who look at it are not its holder. Refuses with NOT_FOUND. */
export async function openTicket(
  { db, now }: Deps,
  caller: Caller | null,
  { registrationId, qrUuid, mailId }: { registrationId: number; qrUuid: string; mailId?: string | undefined },
): Promise<void> {
  const row = await findRegistration(db, registrationId)
  if (!row || !isSame(row.qrUuid, qrUuid)) throw new Refusal('NOT_FOUND')
  if (caller === null) await noteOpened(db, row.id, now())
  if (mailId !== undefined) await noteProven(db, row.id, mailId, now())
}

/** Whether this is the ticket's secret; takes as long whatever is wrong with it. */
export function isSame(secret: string, given: string): boolean {
  const [a, b] = [Buffer.from(secret), Buffer.from(given.toLowerCase())]
  return a.length === b.length && timingSafeEqual(a, b)
}
