import { type Insertable, sql, type Updateable } from 'kysely'
import { codeKey } from '../../contract/codes.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { unplanned } from '../db/planner.ts'
import type { CodeRow, Db, RegistrationRow, Tx } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'
import type { CodeTable } from '../db/tables/events.ts'

/** What was typed as a code of an event. */
interface Typed {
  eventId: number
  code: string
}

const byKeys = statement<CodeRow>(
  'find codes',
  `
  select distinct found.* from unnest($1::int[], $2::text[]) as pair (event_id, key)
  cross join lateral (
    select * from codes c where c.event_id = pair.event_id and c.key = pair.key and c.removed_at is null
  ) found
  `,
)

/** The codes of these events that match what was typed. */
export async function findCodes(db: Db | Tx, typed: readonly Typed[]): Promise<CodeRow[]> {
  if (typed.length === 0) return []
  return runStatement(
    db,
    byKeys(
      typed.map(({ eventId }) => eventId),
      typed.map(({ code }) => codeKey(code)),
    ),
  )
}

/** The codes of an event, the newest first. */
export async function listCodes(db: Db, { id }: OwnEvent): Promise<CodeRow[]> {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('eventId', '=', id)
    .where('removedAt', 'is', null)
    .orderBy('id', 'desc')
    .execute()
}

export async function findCode(db: Db, eventId: number, id: number): Promise<CodeRow | undefined> {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('eventId', '=', eventId)
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
}

export async function insertCode(tx: Tx, row: Insertable<CodeTable>): Promise<CodeRow> {
  return tx.insertInto('codes').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateCode(tx: Tx, id: number, edit: Updateable<CodeTable>): Promise<CodeRow> {
  return tx
    .updateTable('codes')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function countCodes(tx: Tx, eventId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Notes at the event whether it has codes, and tickets that need one. The event's row must be locked. */
export async function noteCodes(tx: Tx, eventId: number): Promise<void> {
  await sql`
    update events e set codes = s.codes
    from (
      select case
        when exists (select from ticket_types where event_id = ${eventId} and removed_at is null and access = 'code') then 'tickets'
        when exists (select from codes where event_id = ${eventId} and removed_at is null) then 'prices'
        else 'none' end as codes
    ) s
    where e.id = ${eventId} and e.codes <> s.codes
  `.execute(tx)
}

/** The codes of these registrations, as staff wrote them, by registration. */
export async function findCodesOf(db: Db, registrationIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; code: string }>`
    select r.id, c.code from registrations r join codes c on c.id = r.code_id where r.id = any(${registrationIds}::int[])
  `.execute(db)
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** Whether somebody has registered for this event with a code. */
export async function hasUsedCodes(db: Db, eventId: number): Promise<boolean> {
  // In this order, which one index has, because the planner may expect to find one early in any order.
  const { rows } = await sql`
    select from registrations where event_id = ${unplanned(eventId)} and code_id is not null order by code_id limit 1
  `.execute(db)
  return rows.length > 0
}

/** Whether nobody can use the code of one of these registrations any more, whatever is left of it. */
export async function hasEndedCode(tx: Tx, registrations: readonly RegistrationRow[], now: Date): Promise<boolean> {
  const ids = registrations.flatMap(({ codeId }) => codeId ?? [])
  if (ids.length === 0) return false
  const { rows } = await sql`
    select from codes where id = any(${ids}::int[]) and (removed_at is not null or closes_at <= ${now}) limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Whether an event has codes with an amount of its currency. */
export async function hasAmountCodes(tx: Tx, eventId: number): Promise<boolean> {
  const { rows } = await sql`
    select from codes where event_id = ${eventId} and removed_at is null and kind <> 'percent' limit 1
  `.execute(tx)
  return rows.length > 0
}
