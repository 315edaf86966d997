import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { SequenceState, TableShape } from './file-format.ts'

/** What a database looks like at one moment. */
export interface Snapshot {
  tables: TableShape[]
  sequences: SequenceState[]
  migrations: string[]
}

/** Our statements take as long as they need, and values are written in one way, whatever the server's settings. */
export const COPY_SETTINGS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local client_encoding = 'UTF8';
  set local datestyle = 'ISO, MDY';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local extra_float_digits = 3;
  set local bytea_output = 'hex'`

/**
 * The tables with the columns that are copied. Left out are what PostgreSQL computes itself, unlogged tables, which a crash empties too, and numbers
 * of transactions (xid8), which mean nothing in another database: a restored row gets that of its restore.
 */
const TABLES = `
  select c.relname as name, array(
    select a.attname::text from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
    order by a.attnum
  ) as columns
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p' and c.relname not in ('kysely_migration', 'kysely_migration_lock')
    and has_table_privilege(c.oid, 'select')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

const SEQUENCES = `
  select sequencename as name from pg_sequences where schemaname = current_schema() and has_sequence_privilege(
    format('%I.%I', schemaname, sequencename), 'select') order by sequencename`

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Whether Turnout's tables are in the database, whatever is in them. */
export async function isInstalled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('kysely_migration') is not null as found")
  return rows[0]?.found ?? false
}

/**
 * Begins a transaction that sees the database as it is at this moment, however long it goes on, and says what is there. Nobody has to wait for it but a
 * migration.
 */
export async function beginSnapshot(client: pg.Client): Promise<Snapshot> {
  const { rows: before } = await client.query<TableShape>(TABLES)
  await client.query('begin isolation level repeatable read read only')
  await client.query(COPY_SETTINGS)
  // Locks come first, since they do not fix the moment yet: a migration that was under way has ended when the first row is read.
  if (before.length > 0)
    await client.query(`lock table ${before.map(({ name }) => quote(name)).join(', ')} in access share mode`)
  const { rows: migrations } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  const { rows: tables } = await client.query<TableShape>(TABLES)
  if (JSON.stringify(tables) !== JSON.stringify(before))
    throw new Error('The database was just being migrated. Try again.')
  return { tables, sequences: await readSequences(client), migrations: migrations.map(({ name }) => name) }
}

/** Sequences never go back, so that read after the snapshot began they are beyond all its rows. */
export async function readSequences(client: pg.Client): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES)
  const states: SequenceState[] = []
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quote(name)}`,
    )
    states.push(...found.map((state) => ({ name, ...state })))
  }
  return states
}

/**
 * The rows of a table as text, always in the same order, whatever the database's language: that of its primary key, or of all columns where there
 * is none.
 */
export async function copyOut(client: pg.Client, { name, columns }: TableShape): Promise<AsyncIterable<Buffer>> {
  const { rows } = await client.query<{ column: string; isText: boolean }>(
    `select a.attname::text as column, a.attcollation <> 0 as "isText" from pg_index i
     cross join unnest(i.indkey::int2[]) with ordinality as key (attnum, position)
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = key.attnum
     where i.indrelid = to_regclass($1) and i.indisprimary order by key.position`,
    [quote(name)],
  )
  const list = columns.map(quote).join(', ')
  const key = rows.map(({ column, isText }) => quote(column) + (isText ? ' collate "C"' : ''))
  const order = key.length > 0 ? key.join(', ') : `(${quote(name)}.*)::text collate "C"`
  return client.query(copyTo(`copy (select ${list} from ${quote(name)} order by ${order}) to stdout`))
}
