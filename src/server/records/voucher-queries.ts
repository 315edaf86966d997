import { sql } from 'kysely'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { Db } from '../db/schema.ts'

/** The vouchers of these registrations, in the order in which they were bought. */
export async function findPurchases(db: Db, registrationIds: readonly number[]): Promise<ExtrasPurchase[]> {
  if (registrationIds.length === 0) return []
  const { rows } = await sql<ExtrasPurchase>`
    select p.id, p.registration_id, p.extras_id, p.name, p.price, p.qr_uuid, p.status, p.scanned_at, u.content
    from extras_purchases p, lateral (
      select jsonb_agg(jsonb_build_object('name', name, 'quantity', quantity, 'redeemed', redeemed) order by position) as content
      from purchase_units where purchase_id = p.id
    ) u
    where p.registration_id = any(${registrationIds}::int[]) order by p.id
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
