import { sql } from 'kysely'
import type { Tx } from '../db/schema.ts'

/** So many rows are read at once. */
const PORTION = 1_000

const ofEvents = 'event_id in (select id from events where club_id = $club and removed_at is null)'
const ofRegistrations = `registration_id in (select id from registrations where ${ofEvents})`

/** Which rows of a table belong to a club, and in which order they are written. */
const selections: Readonly<Record<string, { from?: string; where: string; order: string }>> = {
  clubs: { where: 'id = $club', order: 'id' },
  people: {
    from: `(
      select id, full_name from users where club_id = $club and invited_until is null
      union all select id, full_name from former_users where club_id = $club
    )`,
    where: 'true',
    order: 'id',
  },
  events: { where: 'club_id = $club and removed_at is null', order: 'id' },
  ticket_types: { where: ofEvents, order: 'id' },
  codes: { where: ofEvents, order: 'id' },
  form_questions: { where: ofEvents, order: 'id' },
  erased_answers: {
    where: `question_id in (select id from form_questions where ${ofEvents})`,
    order: 'question_id, answer',
  },
  extras: { where: ofEvents, order: 'id' },
  orders: { where: ofEvents, order: 'id' },
  registrations: { where: ofEvents, order: 'id' },
  former_holders: { where: ofRegistrations, order: 'registration_id, handed_on_at' },
  checkins: { where: ofEvents, order: 'id' },
  extras_purchases: { where: ofRegistrations, order: 'id' },
  purchase_units: {
    where: `purchase_id in (select id from extras_purchases where ${ofRegistrations})`,
    order: 'purchase_id, position',
  },
  payments: { where: `${ofEvents} and status = 'paid'`, order: 'id' },
  refunds: {
    where: `status <> 'failed' and payment_id in (select id from payments where ${ofEvents} and status = 'paid')`,
    order: 'id',
  },
  mails: {
    where: `${ofRegistrations} and status in ('sent', 'failed') and kind in (
      'ticket', 'event changed', 'event cancelled', 'registration cancelled', 'place given back', 'refunded', 'ticket handed on'
    )`,
    order: 'id',
  },
  scan_conflicts: { where: ofEvents, order: 'noted_at, scan_id' },
  moved_codes: { where: ofEvents, order: 'kind, former_id, current_id' },
  changes: { where: "club_id = $club and subject <> 'page'", order: 'id' },
}

/** The rows of one table that belong to a club, as JSON, in portions. */
export async function* readRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  clubId: number,
): AsyncGenerator<string[]> {
  const selection = selections[table]
  if (!selection) throw new Error(`It is not said which rows of ${table} belong to a club.`)
  const { from = table, where, order } = selection
  const list = columns.map((column) => `"${column}"`).join(', ')
  // The number is one of ours.
  const query = `select to_json(t)::text as row from (select ${list} from ${from} t where ${where} order by ${order}) t`
  await sql.raw(`declare rows_of_club no scroll cursor for ${query.replaceAll('$club', String(clubId))}`).execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(PORTION)} from rows_of_club`.execute(tx)
    if (rows.length > 0) yield rows.map(({ row }) => row)
    if (rows.length < PORTION) break
  }
  await sql`close rows_of_club`.execute(tx)
}

/** The pictures of a club and its events, with what each is. */
export async function listPictures(
  tx: Tx,
  clubId: number,
): Promise<{ name: string; kind: 'club-logo' | 'event-banner' }[]> {
  const { rows } = await sql<{ name: string; kind: 'club-logo' | 'event-banner' }>`
    select logo as name, 'club-logo' as kind from clubs where id = ${clubId} and logo <> ''
    union select cover, 'event-banner' from clubs where id = ${clubId} and cover <> ''
    union select banner, 'event-banner' from events where club_id = ${clubId} and removed_at is null and banner <> ''
    order by 1
  `.execute(tx)
  return rows
}

/** Values are written in one way, whatever the server's settings, and our statements take as long as they need. */
export async function prepareExport(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
  await sql`set local timezone = 'UTC'`.execute(tx)
  await sql`set local datestyle = 'ISO, MDY'`.execute(tx)
}
