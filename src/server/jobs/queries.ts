import { sql } from 'kysely'
import { isDue } from '../db/is-due.ts'
import type { Db, JobRow, Tx } from '../db/schema.ts'

type About = { kind: 'call off event' | 'remove event'; eventId: number } | { kind: 'remove club'; clubId: number }

/** Queues work on a whole event or club, in the transaction that decides it. */
export async function insertJob(tx: Tx, about: About, now: Date): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({ ...about, runAt: now, createdAt: now })
    .execute()
}

/** The longest that a step is postponed, in ms. */
export const LONGEST_GAP_MS = 10 * 60_000

/** The job that has been due longest, locked; undefined when there is none that nobody else works on. */
export async function takeJob(tx: Tx, now: Date): Promise<JobRow | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where(isDue('runAt', now, LONGEST_GAP_MS))
    .orderBy('runAt')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Stores a job's progress; the other due jobs come before its next step. */
export async function continueJob(tx: Tx, id: number, doneId: number, now: Date): Promise<void> {
  await tx.updateTable('jobs').set({ doneId, runAt: now, attempts: 0, lastError: null }).where('id', '=', id).execute()
}

export async function finishJob(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('jobs').where('id', '=', id).execute()
}

/** Postpones a failed step, so that it does not keep other jobs waiting. */
export async function postponeJob(db: Db, id: number, runAt: Date, lastError: string): Promise<void> {
  await db
    .updateTable('jobs')
    .set((eb) => ({ runAt, lastError, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Makes a job due now, whenever its next try was to be; false when it is done. */
export async function runJobNow(db: Db, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db.updateTable('jobs').set({ runAt: now }).where('id', '=', id).executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Tables that can have many rows for an event, besides registrations, whose dependent rows are deleted with them. */
const tablesOfEvent = ['scans', 'scan_conflicts', 'removed_tickets', 'door_phones', 'walk_in_quotas'] as const

/** Deletes some of an event's rows; returns how many, 0 when only the event's own row is left. */
export async function deleteSomeOfEvent(tx: Tx, eventId: number, most: number): Promise<number> {
  const registrations = await sql`
    delete from registrations where id in (
      select id from registrations where event_id = ${eventId} order by id limit ${most} for update skip locked
    )
  `.execute(tx)
  const deleted =
    Number(registrations.numAffectedRows ?? 0) ||
    (await deleteOrders(tx, eventId, most)) ||
    (await deleteDoorRows(tx, eventId, most))
  return deleted > 0 ? deleted : forgetPayments(tx, 'event_id', eventId, most)
}

/** Deletes some of what the phones at an event's door wrote down; returns how many rows, 0 when none is left. */
export async function deleteDoorRows(tx: Tx, eventId: number, most: number): Promise<number> {
  for (const table of tablesOfEvent) {
    const deleted = await deleteRows(tx, table, eventId, most)
    if (deleted > 0) return deleted
  }
  return 0
}

/** Not those of registrations that are locked, and so not deleted yet. */
async function deleteOrders(tx: Tx, eventId: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from orders where id in (
      select id from orders o where event_id = ${eventId}
        and not exists (select from registrations r where r.order_id = o.id) limit ${most}
    )
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

async function deleteRows(
  tx: Tx,
  table: (typeof tablesOfEvent)[number],
  eventId: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where event_id = ${eventId} limit ${most}
    ))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes the row of an event of which nothing else is left, with the form and the vouchers; returns its banner's file. */
export async function deleteEvent(tx: Tx, id: number): Promise<string> {
  const row = await tx.deleteFrom('events').where('id', '=', id).returning('banner').executeTakeFirst()
  return row?.banner ?? ''
}

/** An event of this club that is not deleted yet. */
export async function findEventOfClub(tx: Tx, clubId: number): Promise<number | undefined> {
  const row = await tx.selectFrom('events').select('id').where('clubId', '=', clubId).limit(1).executeTakeFirst()
  return row?.id
}

/** Deletes some of the rows of a club without events; returns how many, 0 when only its own and its admins' are left. */
export async function deleteSomeOfClub(tx: Tx, clubId: number, most: number): Promise<number> {
  // Only mails to its users are left: those about registrations were deleted with them.
  const mails = await sql`
    delete from mails where id = any(array(
      select m.id from users u cross join lateral (select id from mails where user_id = u.id offset 0) m
      where u.club_id = ${clubId} limit ${most}
    ))
  `.execute(tx)
  if (mails.numAffectedRows) return Number(mails.numAffectedRows)
  const changes = await sql`
    delete from changes where ctid = any(array(select ctid from changes where club_id = ${clubId} limit ${most}))
  `.execute(tx)
  if (changes.numAffectedRows) return Number(changes.numAffectedRows)
  const messages = await sql`
    delete from webhook_deliveries where id = any(array(
      select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.club_id = ${clubId} limit ${most}
    ))
  `.execute(tx)
  if (messages.numAffectedRows) return Number(messages.numAffectedRows)
  return forgetPayments(tx, 'club_id', clubId, most)
}

/** Deletes the row of a club of which nothing else is left, with its admins. */
export async function deleteClub(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('clubs').where('id', '=', id).execute()
}

/** Payments outlive what they were for, but not the name of whoever took the money. */
async function forgetPayments(tx: Tx, column: 'event_id' | 'club_id', id: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update payments set ${sql.ref(column)} = null, taken_by = left(taken_by, 0), taken_on = left(taken_on, 0) where id = any(array(
      select id from payments where ${sql.ref(column)} = ${id} limit ${most}
    ))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
