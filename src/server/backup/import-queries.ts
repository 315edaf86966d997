import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { MIGRATION_LOCK, migrateWithin } from '../db/migrate.ts'
import { onClient } from '../db/on-client.ts'
import { COPY_SETTINGS } from './export-queries.ts'
import type { SequenceState, TableShape } from './file-format.ts'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** What is taken away while rows come in, since it slows down or changes them, and the statements that bring it back. */
export type TakenAway = readonly string[]

/**
 * Begins the one transaction of a restore. A server that starts meanwhile waits for its end before it looks whether there are tables. Answers
 * whether the database is free of Turnout's tables.
 */
export async function beginImport(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  await client.query(COPY_SETTINGS)
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  const { rows } = await client.query<{ found: boolean }>("select to_regclass('kysely_migration') is not null as found")
  return rows[0]?.found === false
}

/** Makes the tables as they were after these migrations, and takes away what would check or change each row that comes in. */
export async function makeTables(client: pg.Client, migrations: readonly string[]): Promise<TakenAway> {
  // Whatever else is in the database is not touched.
  const others = await listTables(client, [])
  await migrateWithin(onClient(client), migrations)
  const tables = await listTables(client, others)
  // Conditions that older rows need not meet are taken away too, and come back just as lenient.
  const { rows: constraints } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where conrelid = any($1) and (contype = 'f' or (contype = 'c' and not convalidated))`,
    [tables],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  const { rows: triggers } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name from pg_trigger
     where tgrelid = any($1) and not tgisinternal and tgenabled = 'O'`,
    [tables],
  )
  for (const { table, name } of constraints) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const { table, name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`)
  // The rows that the migrations made are in the file as well.
  const { rows: filled } = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where oid = any($1) and relname not like 'kysely\\_migration%'",
    [tables],
  )
  await client.query(`truncate ${filled.map(({ name }) => name).join(', ')}`)
  return [
    ...indexes.map(({ definition }) => definition),
    ...constraints.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
    ...triggers.map(({ table, name }) => `alter table ${table} enable trigger ${name}`),
  ]
}

/** The tables of the schema, by their numbers, but for these. */
async function listTables(client: pg.Client, without: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ oid: number }>(
    `select oid from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and oid <> all($1)`,
    [without],
  )
  return rows.map(({ oid }) => oid)
}

/** Whether the database has this table. */
export async function hasTable(client: pg.Client, { name }: TableShape): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [quote(name)])
  return rows[0]?.found ?? false
}

/** Writes rows as `copyOut` read them. */
export async function copyIn(
  client: pg.Client,
  { name, columns }: TableShape,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const list = columns.map(quote).join(', ')
  await pipeline(Readable.from(rows), client.query(copyFrom(`copy ${quote(name)} (${list}) from stdin`)))
}

/** Brings back what `makeTables` took away, and sets the sequences, so that the next row gets a number that none has had. */
export async function completeTables(
  client: pg.Client,
  taken: TakenAway,
  sequences: readonly SequenceState[],
): Promise<void> {
  for (const statement of taken) await client.query(statement)
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval(to_regclass($1), $2::bigint, $3) where to_regclass($1) is not null', [
      quote(name),
      value,
      isCalled,
    ])
}

/** Brings the tables up to this version, in the same transaction. */
export function migrateTables(client: pg.Client): Promise<void> {
  return migrateWithin(onClient(client))
}

/** A restored installation is another one than that of the backup: its images are its own, and phones read their lists anew. */
export async function setInstallationId(client: pg.Client, id: string): Promise<void> {
  await client.query('update installation set id = $1', [id])
}

export async function commit(client: pg.Client): Promise<void> {
  await client.query('commit')
}

/** Gives the planner figures of the new rows. */
export async function analyze(client: pg.Client): Promise<void> {
  await client.query('analyze')
}

/** Removes the databases of ours with this beginning of their name that killed servers left: nobody holds their lock, or is connected. */
export async function dropLeftDatabases(client: pg.Client, beginning: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where starts_with(datname, $1) and pg_has_role(datdba, 'usage')",
    [beginning],
  )
  for (const { name } of rows)
    if (await lockDatabase(client, name)) await client.query(`drop database if exists ${quote(name)}`).catch(() => {})
}

/** Says that somebody works with a database, until the connection ends. False when another one does. */
async function lockDatabase(client: pg.Client, name: string): Promise<boolean> {
  const lock = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as ours'
  const { rows } = await client.query<{ ours: boolean }>(lock, [name])
  return rows[0]?.ours ?? false
}

/** Makes an empty database beside this one. False without permission. */
export async function makeDatabase(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
  )
  if (!rows[0]?.may) return false
  await lockDatabase(client, name)
  // Like ours in how it sorts and compares, whatever the server's template has become.
  const { rows: found } = await client.query<{ collate: string; ctype: string; encoding: string }>(
    `select datcollate as collate, datctype as ctype, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  )
  const [{ collate, ctype, encoding } = { collate: 'C', ctype: 'C', encoding: 'UTF8' }] = found
  await client.query(
    `create database ${quote(name)} template template0 encoding ${literal(encoding)} lc_collate ${literal(collate)} lc_ctype ${literal(ctype)}`,
  )
  return true
}

export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${quote(name)} with (force)`)
}
