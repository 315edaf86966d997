import { sql } from 'kysely'
import type { WalkInQuota } from '../../contract/walk-ins.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Db, Tx } from '../db/schema.ts'

/** The places that phones keep at an event and nobody has got yet, by the phones' names. */
export async function findQuotas(db: Db, { id }: OwnEvent): Promise<WalkInQuota[]> {
  return db
    .selectFrom('walkInQuotas')
    .select(['phoneId', 'phoneName', 'granted', 'used', 'wanted'])
    .where('eventId', '=', id)
    .where((eb) => eb('granted', '>', eb.ref('used')))
    .orderBy(sql`lower(phone_name), phone_id`)
    .execute()
}

/** The same for one phone, whether it has any or not. */
export async function findQuota(db: Db, { id }: OwnEvent, phoneId: string): Promise<WalkInQuota | undefined> {
  return db
    .selectFrom('walkInQuotas')
    .select(['phoneId', 'phoneName', 'granted', 'used', 'wanted'])
    .where('eventId', '=', id)
    .where('phoneId', '=', phoneId)
    .executeTakeFirst()
}

/** Whether a phone keeps a place that nobody has got yet. */
export async function keepsPlace(db: Db, event: OwnEvent, phoneId: string): Promise<boolean> {
  const quota = await findQuota(db, event, phoneId)
  return quota !== undefined && quota.granted > quota.used
}

/** The name under which a phone reported to the board. */
export async function findPhoneName(db: Db, { id }: OwnEvent, phoneId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('doorPhones')
    .select('name')
    .where('eventId', '=', id)
    .where('phoneId', '=', phoneId)
    .executeTakeFirst()
  return row?.name
}

/** Stores what a phone keeps. The event's row must be locked. */
export async function storeQuota(tx: Tx, eventId: number, quota: WalkInQuota): Promise<void> {
  await tx
    .insertInto('walkInQuotas')
    .values({ eventId, ...quota })
    .onConflict((same) => same.columns(['eventId', 'phoneId']).doUpdateSet(quota))
    .execute()
}

/** Adds to the places that the event's phones keep, or takes from them. Fails with `events_capacity` when there are too few. */
export async function changeWalkInPlaces(tx: Tx, eventId: number, by: number): Promise<void> {
  if (by === 0) return
  await tx
    .updateTable('events')
    .set((eb) => ({ walkInPlaces: eb('walkInPlaces', '+', by) }))
    .where('id', '=', eventId)
    .execute()
}

/**
 * Takes one of the places that a phone keeps out of what is kept, for somebody to get it in this transaction; false when it keeps none. The
 * event's row must be locked.
 */
export async function takeKeptPlace(tx: Tx, eventId: number, phoneId: string): Promise<boolean> {
  const { rows } = await sql`
    with quota as (
      update walk_in_quotas set used = used + 1
      where event_id = ${eventId} and phone_id = ${phoneId} and used < granted
      returning event_id
    )
    update events e set walk_in_places = walk_in_places - 1 from quota where e.id = quota.event_id returning e.id
  `.execute(tx)
  return rows.length > 0
}

/** Undoes `takeKeptPlace`: nobody got the place. */
export async function keepPlaceAgain(tx: Tx, eventId: number, phoneId: string): Promise<void> {
  await sql`
    with quota as (
      update walk_in_quotas set used = used - 1 where event_id = ${eventId} and phone_id = ${phoneId} returning event_id
    )
    update events e set walk_in_places = walk_in_places + 1 from quota where e.id = quota.event_id
  `.execute(tx)
}
