import { sql } from 'kysely'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { Db } from '../db/schema.ts'

/**
 * The vouchers of these registrations, in the order in which they were bought. The lateral join looks them up by their registration: in tables
 * that were never analysed, PostgreSQL could otherwise walk all vouchers in the order of their ids.
 */
export async function findPurchases(db: Db, registrationIds: readonly number[]): Promise<ExtrasPurchase[]> {
  if (registrationIds.length === 0) return []
  const { rows } = await sql<ExtrasPurchase>`
    select p.id, p.registration_id, p.extras_id, p.name, p.price, p.qr_uuid, p.status, p.scanned_at, u.content
    from (select distinct id from unnest(${registrationIds}::int[]) as id) as asked
    cross join lateral (select * from extras_purchases where registration_id = asked.id offset 0) as p
    cross join lateral (
      select jsonb_agg(jsonb_build_object('name', name, 'quantity', quantity, 'redeemed', redeemed) order by position) as content
      from purchase_units where purchase_id = p.id
    ) as u
    order by p.id
  `.execute(db)
  return rows
}

export async function hasPricedExtras(db: Db, eventId: number): Promise<boolean> {
  const row = await db
    .selectFrom('extras')
    .select('id')
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .where('price', '>', 0)
    .executeTakeFirst()
  return row !== undefined
}

/** Vouchers by id, with their secrets and whose they are. */
export async function findVoucherCodes(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('extrasPurchases')
    .innerJoin('registrations', 'registrations.id', 'extrasPurchases.registrationId')
    .select([
      'extrasPurchases.id',
      'extrasPurchases.qrUuid',
      'extrasPurchases.registrationId',
      'registrations.clubId',
      'registrations.eventId',
    ])
    .where('extrasPurchases.id', '=', sql<number>`any(${ids}::int[])`)
    .execute()
}
