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
import type { Db } from './schema.ts'
import { isCollision } from './violations.ts'

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
}

/** Held by whoever changes the schema. */
export const MIGRATION_LOCK = 7_085_661
const TRIES = 5

/**
 * Brings the schema up to date, or up to one migration. Many processes may call it at once: one does the work, the others wait
 * for it.
 */
export async function migrate(db: Db, upTo?: keyof typeof migrations): Promise<void> {
  await db.connection().execute(async (connection) => {
    // Another process's migration, or our own on a large table, may take longer than any other statement.
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set idle_in_transaction_session_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`.execute(connection)
    try {
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } })
      for (let tries = 1; ; tries++) {
        const { error } = await (upTo ? migrator.migrateTo(upTo) : migrator.migrateToLatest())
        if (!error) break
        // Old processes are still running. After a deadlock with one of them nothing has been changed, so it is safe to try again.
        if (tries === TRIES || !isCollision(error)) throw error
      }
    } finally {
      await sql`select pg_advisory_unlock(${MIGRATION_LOCK})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
      await sql`reset idle_in_transaction_session_timeout`.execute(connection)
    }
  })
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
