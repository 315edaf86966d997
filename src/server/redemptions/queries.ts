import { sql } from 'kysely'
import type { OwnEvent } from '../access/own-event.ts'
import { hidden } from '../db/planner.ts'
import type { Db, Tx } from '../db/schema.ts'

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
  position: number
  change: number
}

/**
 * Redeems units of a voucher, or takes them back. They must be locked, and checked to be enough; the database keeps each count between none
 * and all (`purchase_units_redeemed`).
 */
export async function changeUnits(
  tx: Tx,
  purchaseId: number,
  changes: readonly UnitChange[],
  now: Date,
): Promise<void> {
  const { rows } = await sql`
    with wanted as (
      select * from unnest(${changes.map(({ position }) => position)}::int[], ${changes.map(({ change }) => change)}::int[])
        as w (position, change)
    )
    update purchase_units u set redeemed = u.redeemed + w.change
    from wanted w
    where u.purchase_id = ${purchaseId} and u.position = w.position
    returning u.position
  `.execute(tx)
  // All or nothing: the error ends the transaction.
  if (rows.length < changes.length) throw new Error('A voucher has not the units that were changed.')
  await sql`
    update extras_purchases p set
      status = not exists (select from purchase_units u where u.purchase_id = p.id and u.redeemed < u.quantity),
      scanned_at = ${now}
    where p.id = ${purchaseId}
  `.execute(tx)
}

/** The units of a voucher, locked: however many scan it at once, each sees the result of the one before. */
export async function lockUnits(tx: Tx, purchaseId: number) {
  await tx.selectFrom('extrasPurchases').select('id').where('id', '=', purchaseId).forUpdate().execute()
  return tx.selectFrom('purchaseUnits').selectAll().where('purchaseId', '=', purchaseId).orderBy('position').execute()
}
