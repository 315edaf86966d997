import { sql } from 'kysely'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'
import { statement } from '../db/statement.ts'

/** A voucher by id and secret, or by id and the start of the secret, with whose it is. */
export async function findVoucher(db: Db, code: { id: number; qrUuid: string } | { id: number; qrStart: string }) {
  const secret = sql<string>`extras_purchases.qr_uuid::text`
  return db
    .selectFrom('extrasPurchases')
    .innerJoin('registrations', 'registrations.id', 'extrasPurchases.registrationId')
    .select(['extrasPurchases.id', 'extrasPurchases.registrationId', 'registrations.eventId'])
    .where('extrasPurchases.id', '=', code.id)
    .where(
      'qrUuid' in code ? secret : sql<string>`left(${secret}, 8)`,
      '=',
      'qrUuid' in code ? code.qrUuid : code.qrStart,
    )
    .executeTakeFirst()
}

/** The registration of a voucher of this event; null when it belongs to another event. */
export async function registrationOf(db: Db, event: OwnEvent, purchaseId: number): Promise<number | null> {
  const row = await db
    .selectFrom('extrasPurchases')
    .innerJoin('registrations', 'registrations.id', 'extrasPurchases.registrationId')
    .select('registrations.id')
    .where('extrasPurchases.id', '=', purchaseId)
    .where(hidden('registrations.event_id'), '=', event.id)
    .executeTakeFirst()
  return row?.id ?? null
}

/** A change to a voucher's units, by position; `change` is how many are redeemed (or, below 0, taken back). */
export interface UnitChange {
  purchaseId: number
  position: number
  change: number
}

/**
 * Redeems units of vouchers, or takes them back. They must be locked, and checked to be enough; the database keeps each count between none
 * and all (`purchase_units_redeemed`).
 */
export async function changeUnits(tx: Tx, changes: readonly UnitChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  const ids = changes.map(({ purchaseId }) => purchaseId)
  const positions = changes.map(({ position }) => position)
  const { rows } = await sql`
    with wanted as (
      select * from unnest(${ids}::int[], ${positions}::int[], ${changes.map(({ change }) => change)}::int[])
        as w (purchase_id, position, change)
    )
    update purchase_units u set redeemed = u.redeemed + w.change
    from wanted w
    where u.purchase_id = w.purchase_id and u.position = w.position
    returning u.position
  `.execute(tx)
  // All or nothing: the error ends the transaction.
  if (rows.length < changes.length) throw new Error('A voucher has not the units that were changed.')
  await sql`
    update extras_purchases p set
      status = not exists (select from purchase_units u where u.purchase_id = p.id and u.redeemed < u.quantity),
      scanned_at = ${now}
    where p.id = any(${ids}::int[])
  `.execute(tx)
}

/** The units of vouchers, locked: however many scan them at once, each sees the result of the one before. */
export async function lockUnits(tx: Tx, purchaseIds: readonly number[]) {
  const asked = sql<number>`any(${purchaseIds}::int[])`
  // In a fixed order, so that two who redeem the same vouchers do not deadlock.
  await tx.selectFrom('extrasPurchases').select('id').where('id', '=', asked).orderBy('id').forUpdate().execute()
  return tx.selectFrom('purchaseUnits').selectAll().where('purchaseId', '=', asked).orderBy('position').execute()
}

/** A ticket, and which of its vouchers was asked for. */
export interface TicketOfVoucher extends RegistrationRow {
  purchaseId: number
}

/**
 * The statement that locks the tickets of vouchers of an event as `lockTickets` does, to be sent in a pipeline: `(purchaseIds, eventId)`. It has
 * a row for each voucher; the tickets are locked in the order of their ids.
 */
export const lockedTicketsOf = statement<TicketOfVoucher>(
  'lock tickets of vouchers',
  `
  select r.*, owned.purchase_id
  from (
    select p.id as purchase_id, p.registration_id
    from unnest($1::int[]) as asked (id)
    cross join lateral (select id, registration_id from extras_purchases where id = asked.id offset 0) as p
    cross join lateral (select event_id from registrations where id = p.registration_id offset 0) as t
    where t.event_id = $2
    order by p.registration_id, p.id
  ) as owned
  cross join lateral (select * from registrations where id = owned.registration_id for share) as r
  where exists (select from events e where e.id = r.event_id and e.removed_at is null)
  `,
)
