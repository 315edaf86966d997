import { setTimeout as wait } from 'node:timers/promises'
import { Migrator, sql } from 'kysely'
import * as start from './migrations/001-start.ts'
import * as staff from './migrations/002-staff.ts'
import * as mailPace from './migrations/003-mail-pace.ts'
import * as ticketHolder from './migrations/004-ticket-holder.ts'
import * as payments from './migrations/005-payments.ts'
import * as door from './migrations/006-door.ts'
import * as heartbeats from './migrations/007-heartbeats.ts'
import * as limits from './migrations/008-limits.ts'
import * as mail from './migrations/009-mail.ts'
import * as bulk from './migrations/010-bulk.ts'
import * as content from './migrations/011-content.ts'
import * as ops from './migrations/012-ops.ts'
import * as counts from './migrations/013-counts.ts'
import * as lists from './migrations/014-lists.ts'
import * as branding from './migrations/015-branding.ts'
import * as phoneField from './migrations/016-phone-field.ts'
import * as languages from './migrations/017-languages.ts'
import * as translations from './migrations/018-translations.ts'
import * as translatedPlaces from './migrations/019-translated-places.ts'
import * as team from './migrations/020-team.ts'
import * as sessions from './migrations/021-sessions.ts'
import * as history from './migrations/022-history.ts'
import * as backups from './migrations/023-backups.ts'
import * as passes from './migrations/024-passes.ts'
import * as secure from './migrations/025-secure.ts'
import * as board from './migrations/026-board.ts'
import * as provedSessions from './migrations/027-proved-sessions.ts'
import * as apiTokens from './migrations/028-api-tokens.ts'
import * as retention from './migrations/030-retention.ts'
import * as doorPayments from './migrations/032-door-payments.ts'
import * as webhooks from './migrations/033-webhooks.ts'
import * as ticketTypes from './migrations/034-ticket-types.ts'
import * as questionsOfTypes from './migrations/035-questions-of-types.ts'
import * as ticketSales from './migrations/036-ticket-sales.ts'
import * as orders from './migrations/037-orders.ts'
import * as paidOrders from './migrations/038-paid-orders.ts'
import * as ticketsPerOrder from './migrations/039-tickets-per-order.ts'
import * as questionsOfOrders from './migrations/040-questions-of-orders.ts'
import * as codes from './migrations/041-codes.ts'
import * as members from './migrations/042-members.ts'
import * as handOn from './migrations/043-hand-on.ts'
import * as newAddresses from './migrations/044-new-addresses.ts'
import * as passkeys from './migrations/045-passkeys.ts'
import * as walkIns from './migrations/046-walk-ins.ts'
import * as exits from './migrations/047-exits.ts'
import * as jobErrors from './migrations/048-job-errors.ts'
import * as clubFiles from './migrations/049-club-files.ts'
import * as backupsAndConflicts from './migrations/050-backups-and-conflicts.ts'
import * as quietRecount from './migrations/051-quiet-recount.ts'
import * as freshStatistics from './migrations/052-fresh-statistics.ts'
import * as saleCounts from './migrations/053-sale-counts.ts'
import * as lighterRegistrations from './migrations/054-lighter-registrations.ts'
import type { Db } from './schema.ts'
import { isCollision, isLocked } from './violations.ts'

/** In order of name; forward only. */
const migrations = {
  '001-start': start,
  '002-staff': staff,
  '003-mail-pace': mailPace,
  '004-ticket-holder': ticketHolder,
  '005-payments': payments,
  '006-door': door,
  '007-heartbeats': heartbeats,
  '008-limits': limits,
  '009-mail': mail,
  '010-bulk': bulk,
  '011-content': content,
  '012-ops': ops,
  '013-counts': counts,
  '014-lists': lists,
  '015-branding': branding,
  '016-phone-field': phoneField,
  '017-languages': languages,
  '018-translations': translations,
  '019-translated-places': translatedPlaces,
  '020-team': team,
  '021-sessions': sessions,
  '022-history': history,
  '023-backups': backups,
  '024-passes': passes,
  '025-secure': secure,
  '026-board': board,
  '027-proved-sessions': provedSessions,
  '028-api-tokens': apiTokens,
  '030-retention': retention,
  '032-door-payments': doorPayments,
  '033-webhooks': webhooks,
  '034-ticket-types': ticketTypes,
  '035-questions-of-types': questionsOfTypes,
  '036-ticket-sales': ticketSales,
  '037-orders': orders,
  '038-paid-orders': paidOrders,
  '039-tickets-per-order': ticketsPerOrder,
  '040-questions-of-orders': questionsOfOrders,
  '041-codes': codes,
  '042-members': members,
  '043-hand-on': handOn,
  '044-new-addresses': newAddresses,
  '045-passkeys': passkeys,
  '046-walk-ins': walkIns,
  '047-exits': exits,
  '048-job-errors': jobErrors,
  '049-club-files': clubFiles,
  '050-backups-and-conflicts': backupsAndConflicts,
  '051-quiet-recount': quietRecount,
  '052-fresh-statistics': freshStatistics,
  '053-sale-counts': saleCounts,
  '054-lighter-registrations': lighterRegistrations,
}

/** Held by whoever changes the schema. */
export const MIGRATION_LOCK = 7_085_661
/** For how long it is tried again after a collision, in ms. Whoever holds a table, such as a backup, is waited for without end. */
const PATIENCE_MS = 60_000
/** How long a try waits for a table, in ms: less than PostgreSQL waits before it ends a transaction because of a deadlock. */
const SHORT_WAIT_MS = 300
/** The longest pause between two tries, in ms: a backup reads for long, and visitors are served meanwhile. */
const LONGEST_PAUSE_MS = 2_000
/** After so many tries each table is waited for alone, because PostgreSQL's own cleaning of it steps back only after a second. */
const TRIES_TO_CLEAR = 20
const CLEAR_MS = 3_000

/**
 * Brings the schema up to date, or up to one migration, in one transaction. Many processes may call it at once: one does the work, the
 * others wait for it. Processes of the version before may still be running: they wait until it is done.
 */
export async function migrate(db: Db, upTo?: keyof typeof migrations): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Another process's migration, or our own on a large table, may take longer than any other statement.
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set idle_in_transaction_session_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
    try {
      await refuseNewer(connection)
      const provider = { getMigrations: async () => migrations }
      const migrator = new Migrator({ db: connection, provider, disableTransactions: true })
      const isPending = (await migrator.getMigrations()).some(({ executedAt }) => executedAt === undefined)
      const end = performance.now() + PATIENCE_MS
      for (let tries = 1; ; tries++) {
        try {
          await inTransaction(connection, async () => {
            if (isPending) await lockTables(connection, await ownTables(connection), SHORT_WAIT_MS)
            const { error } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest())
            if (error) throw error
          })
          return
        } catch (error) {
          // Nothing has been changed, so it is safe to try again.
          if (!isLocked(error) && (!isCollision(error) || performance.now() > end)) throw error
          if (tries % TRIES_TO_CLEAR === 0) await stopCleaning(connection)
          await wait(Math.min(50 * tries, LONGEST_PAUSE_MS) * (1 + Math.random()))
        }
      }
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
      await sql`reset idle_in_transaction_session_timeout`.execute(connection)
    }
  })
}

/** Kysely's migrator takes no transaction of Kysely's own. */
async function inTransaction(connection: Db, work: () => Promise<void>): Promise<void> {
  await sql`begin`.execute(connection)
  try {
    await work()
  } catch (error) {
    await sql`rollback`.execute(connection)
    throw error
  }
  await sql`commit`.execute(connection)
}

/**
 * Takes all tables before anything is changed, in the order in which most transactions take them. Taken one by one, as the migrations come
 * to them, they led to deadlocks with the processes that are still running.
 */
async function lockTables(connection: Db, names: readonly string[], waitMs: number): Promise<void> {
  if (names.length === 0) return
  await sql`set local lock_timeout = ${sql.raw(String(waitMs))}`.execute(connection)
  await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in access exclusive mode`.execute(connection)
  await sql`set local lock_timeout = 0`.execute(connection)
}

/** Waits for each table alone, so that it holds nothing that somebody else waits for. */
async function stopCleaning(connection: Db): Promise<void> {
  for (const name of await ownTables(connection))
    await inTransaction(connection, () => lockTables(connection, [name], CLEAR_MS)).catch((error: unknown) => {
      if (!isLocked(error)) throw error
    })
}

async function ownTables(connection: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) and c.relkind in ('r', 'p')
      and pg_has_role(c.relowner, 'usage') and c.relname not like 'kysely%'
    order by c.relname <> 'events', c.relname <> 'registrations', c.relname
  `.execute(connection)
  return rows.map(({ name }) => name)
}

/** A database that a newer version has changed is left alone. */
async function refuseNewer(connection: Db): Promise<void> {
  const { rows } = await sql<{ isThere: boolean }>`
    select to_regclass('kysely_migration') is not null as "isThere"`.execute(connection)
  if (!rows[0]?.isThere) return
  const { rows: done } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    connection,
  )
  const [first] = unknownMigrations(done.map(({ name }) => name))
  if (first === undefined) return
  throw new Error(
    `The database was brought up to date by a newer version of Turnout (its change ${first} is unknown to this one). Nothing was changed: install that version or a later one.`,
  )
}

/** Which of these migrations this version does not know: those of a newer one. */
export function unknownMigrations(names: readonly string[]): string[] {
  return names.filter((name) => !(name in migrations))
}

/** Brings the schema up to date, or does exactly these migrations, the first ones of all, within the transaction that the connection is in. */
export async function migrateWithin(db: Db, names?: readonly string[]): Promise<void> {
  const chosen = Object.entries(migrations).filter(([name]) => names?.includes(name) ?? true)
  const provider = { getMigrations: async () => Object.fromEntries(chosen) }
  const { error } = await new Migrator({ db, provider, disableTransactions: true }).migrateToLatest()
  if (error) throw error
}

/** Whether every migration this version knows has been done. */
export async function isMigrated(db: Db): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map(({ name }) => name))
  return Object.keys(migrations).every((name) => done.has(name))
}
