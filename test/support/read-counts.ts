import { sql } from 'kysely'
import type { Event } from '../../src/contract/event.ts'
import type { Tx } from '../../src/server/db/schema.ts'

/** As if they had been added by an earlier transaction. */
export function addGuests(tx: Tx, { id, clubId }: Event, count: number) {
  return sql`
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time,
      status, amount, currency, door_xid)
    select ${id}, ${clubId}, gen_random_uuid(), 'Guest ' || n, 'guest' || n || '@example.org', '', '[]', 'guest ' || n, now(), 'confirmed', 0, 'eur', '1'
    from generate_series(1, ${count}::int) n
  `.execute(tx)
}

/** How many rows of registrations this transaction has read so far. */
export async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'registrations'
  `.execute(tx)
  return Number(rows[0]?.count)
}

/** How many blocks of a table and its indexes this transaction has read so far. */
export async function blocksRead(tx: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select sum(pg_stat_get_xact_blocks_fetched(id)) as count from (
      select oid from pg_class where relname = ${table}
      union all select indexrelid from pg_index where indrelid = ${table}::regclass
    ) read (id)
  `.execute(tx)
  return Number(rows[0]?.count)
}
