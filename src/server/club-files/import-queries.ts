import { sql } from 'kysely'
import type { ClubImport } from '../../contract/club-files.ts'
import type { ClubImportRow, Db, Tx } from '../db/schema.ts'
import type { Numbered } from './moved-ids.ts'

/** What is known of the latest file for a club. */
export async function findImport(db: Db, clubId: number): Promise<ClubImport | null> {
  const { rows } = await sql<Omit<ClubImport, 'counts'> & { counts: Record<string, number> | null }>`
    select key, state, reason, parts, counts, ended_at,
      (select count(*)::int from club_import_parts p where p.club_id = i.club_id) as received
    from club_imports i where club_id = ${clubId}
  `.execute(db)
  const [row] = rows
  if (!row) return null
  const { counts, ...rest } = row
  const { events = 0, registrations = 0, images = 0 } = counts ?? {}
  return { ...rest, counts: counts && { events, registrations, images } }
}

/** The same, locked until the transaction ends. */
export async function lockImport(tx: Tx, clubId: number): Promise<ClubImportRow | undefined> {
  return tx.selectFrom('clubImports').selectAll().where('clubId', '=', clubId).forUpdate().executeTakeFirst()
}

/** Begins to receive a file, in place of the one before it. */
export async function beginImport(
  tx: Tx,
  row: { clubId: number; key: string; userId: number; parts: number; beganAt: Date },
): Promise<void> {
  await tx.deleteFrom('clubImports').where('clubId', '=', row.clubId).execute()
  await tx
    .insertInto('clubImports')
    .values({ ...row, state: 'sending', reason: null, endedAt: null })
    .execute()
}

/** Stores a part, once. */
export async function storePart(tx: Tx, clubId: number, part: number, content: Buffer): Promise<void> {
  await tx
    .insertInto('clubImportParts')
    .values({ clubId, part, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All parts are there: it waits to be imported. */
export async function markWaiting(tx: Tx, clubId: number, now: Date): Promise<void> {
  await tx.updateTable('clubImports').set({ state: 'waiting', runAt: now }).where('clubId', '=', clubId).execute()
}

/** Notes how an import ended, and deletes the file. */
export async function endImport(
  tx: Tx,
  clubId: number,
  end: Pick<ClubImportRow, 'state' | 'reason'> & { counts: Record<string, number> | null; endedAt: Date },
): Promise<void> {
  const counts = end.counts && JSON.stringify(end.counts)
  await tx
    .updateTable('clubImports')
    .set({ ...end, counts, runAt: null })
    .where('clubId', '=', clubId)
    .execute()
  await tx.deleteFrom('clubImportParts').where('clubId', '=', clubId).execute()
}

/** The parts of a file, in order. */
export async function* readParts(tx: Tx, clubId: number, parts: number): AsyncGenerator<Buffer> {
  for (let part = 0; part < parts; part++) {
    const row = await tx
      .selectFrom('clubImportParts')
      .select('content')
      .where('clubId', '=', clubId)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!row) return
    yield row.content
  }
}

/** Whether the club has an event, also one that is being removed. */
export async function hasEvents(db: Db, clubId: number): Promise<boolean> {
  const row = await db.selectFrom('events').select('id').where('clubId', '=', clubId).limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Takes the import that has waited longest, so that no other server does until `againAt`. The try counts before the work begins: a server that ends
 * because of a file does not read it for ever.
 */
export async function takeImport(db: Db, now: Date, againAt: Date): Promise<ClubImportRow | undefined> {
  return db
    .updateTable('clubImports')
    .set((eb) => ({ tries: eb('tries', '+', 1), runAt: againAt }))
    .where('clubId', '=', (eb) =>
      eb
        .selectFrom('clubImports')
        .select('clubId')
        .where('state', '=', 'waiting')
        .where('runAt', '<=', now)
        .orderBy('runAt')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Says when an import is tried next. */
export async function postponeImport(db: Db, { clubId, key }: Pick<ClubImportRow, 'clubId' | 'key'>, runAt: Date) {
  await db
    .updateTable('clubImports')
    .set({ runAt })
    .where('clubId', '=', clubId)
    .where('key', '=', key)
    .where('state', '=', 'waiting')
    .execute()
}

/** Switches off the triggers that are not for rows from elsewhere, until `endRows`, and gives the transaction as much time as it needs. */
export async function beginRows(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  await sql`select set_config('turnout.import', 'on', true)`.execute(tx)
}

/** From here on, rows are those of this server again. */
export async function endRows(tx: Tx): Promise<void> {
  await sql`select set_config('turnout.import', 'off', true)`.execute(tx)
}

/** Takes unused numbers. Those who left a team have the numbers that they had as users. */
export async function takeIds(tx: Tx, of: Numbered, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: string }>`
    select nextval(pg_get_serial_sequence(${of === 'people' ? 'users' : of}, 'id')) as id from generate_series(1, ${count})
  `.execute(tx)
  return rows.map(({ id }) => Number(id))
}

/** Inserts rows of one table, all with the same columns. */
export async function insertRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const list = sql.join(columns.map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `.execute(tx)
}

/** Fills in the club's own row. */
export async function storeClub(tx: Tx, clubId: number, row: Record<string, unknown>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  await sql`
    update clubs c set (${columns}) = (
      select ${columns} from json_populate_record(null::clubs, ${JSON.stringify(row)}::json)
    ), version = c.version + 1
    where id = ${clubId}
  `.execute(tx)
}

/** Drops the ticket type that each new event gets by itself: those of the file follow. */
export async function dropFirstTypes(tx: Tx, clubId: number): Promise<void> {
  await sql`delete from ticket_types where event_id in (select id from events where club_id = ${clubId})`.execute(tx)
}

/** Whether an event of the club has no ticket type for registrations that name none. */
export async function hasEventWithoutTickets(tx: Tx, clubId: number): Promise<boolean> {
  const { rows } = await sql`
    select from events e where club_id = ${clubId}
      and (select count(*) from ticket_types t where t.event_id = e.id and t.is_first) <> 1 limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Whether an event's prices are not those of the ticket types that everybody can buy, or of all. */
export async function hasWrongPrices(tx: Tx, clubId: number): Promise<boolean> {
  const { rows } = await sql`
    select e.id from events e cross join lateral (
      select price from ticket_types t where t.event_id = e.id and t.removed_at is null and (t.access = 'public' or not exists (
        select from ticket_types o where o.event_id = e.id and o.removed_at is null and o.access = 'public'
      ))
    ) t
    where e.club_id = ${clubId}
    group by e.id having e.ticket_price <> min(t.price) or e.ticket_price_to <> max(t.price) limit 1
  `.execute(tx)
  return rows.length > 0
}

/**
 * Whether a registration of the club has a check-in, a payment, a voucher or an order of another event. Lists and counts look for these by
 * event, and no constraint compares them.
 */
export async function hasRowsOfAnotherEvent(tx: Tx, clubId: number): Promise<boolean> {
  const { rows } = await sql`
    select from checkins c join registrations r on r.id = c.registration_id
      where r.club_id = ${clubId} and c.event_id <> r.event_id
    union all
    select from payments p join registrations r on r.id = p.registration_id
      where r.club_id = ${clubId} and p.event_id <> r.event_id
    union all
    select from extras_purchases p join registrations r on r.id = p.registration_id join extras x on x.id = p.extras_id
      where r.club_id = ${clubId} and x.event_id <> r.event_id
    union all
    select from orders o join registrations r on r.order_id = o.id
      where r.club_id = ${clubId} and o.event_id <> r.event_id
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Counts what is counted without triggers, and stores what triggers have changed. */
export async function countRows(tx: Tx, clubId: number, highest: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    update events e set registration_count = (
      select count(*) from registrations r where r.event_id = e.id and r.status <> 'cancelled'
    ) where club_id = ${clubId}
  `.execute(tx)
  await sql`
    update events e set ticket_price_to = t.price
    from unnest(${[...highest.keys()]}::int[], ${[...highest.values()]}::int[]) as t (id, price) where e.id = t.id
  `.execute(tx)
  await sql`
    update extras x set sold_count = (
      select count(*) from extras_purchases p join registrations r on r.id = p.registration_id
      where p.extras_id = x.id and r.status <> 'cancelled'
    ) where event_id in (select id from events where club_id = ${clubId})
  `.execute(tx)
}

/** Notes the numbers that tickets, vouchers and orders had before. */
export async function storeFormerIds(
  tx: Tx,
  clubId: number,
  moved: {
    kind: 'ticket' | 'voucher' | 'order'
    former: readonly number[]
    current: readonly number[]
  },
): Promise<void> {
  const { kind, former, current } = moved
  const eventOf =
    kind === 'voucher'
      ? sql`(select r.event_id from extras_purchases p join registrations r on r.id = p.registration_id where p.id = t.current)`
      : kind === 'ticket'
        ? sql`(select event_id from registrations where id = t.current)`
        : sql`(select event_id from orders where id = t.current)`
  await sql`
    insert into moved_codes (club_id, event_id, kind, former_id, current_id)
    select * from (
      select ${clubId}::int, ${eventOf} as event_id, ${kind}, t.former, t.current
      from unnest(${former}::int[], ${current}::int[]) as t (former, current)
    ) m where event_id is not null
    on conflict do nothing
  `.execute(tx)
}
