import { type Kysely, sql } from 'kysely'

// What a rush, its payments and mails, and the door add rows to.
const tables = [
  ...['registrations', 'orders', 'extras_purchases', 'payments', 'changes', 'mails', 'webhook_deliveries'],
  ...['checkins', 'scans'],
]

/**
 * Statistics of the tables that grow in a rush are renewed after every thousand changes. PostgreSQL would wait until a tenth of the table
 * has changed: with a million registrations, a whole event would be read with statistics that do not know it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables)
    await sql`
      alter table ${sql.table(table)} set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000)
    `.execute(db)
}
