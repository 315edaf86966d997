import { randomUUID } from 'node:crypto'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { Extras } from '../../contract/extras.ts'
import { unplanned } from '../db/planner.ts'
import type { Db, EventRow, ExtrasRow, Tx } from '../db/schema.ts'
import type { ExtrasTable } from '../db/tables/vouchers.ts'

/** An event's vouchers on sale in their order, for staff: with how many are used up or not paid yet, and the income. */
export async function listExtras(db: Db, event: Pick<EventRow, 'id' | 'currency'>, onlyId?: number): Promise<Extras[]> {
  const rows = await db
    .selectFrom('extras')
    .selectAll()
    .select((eb) => {
      const ofConfirmed = eb.selectFrom('voucherCounts as c').whereRef('c.extrasId', '=', 'extras.id')
      return [
        ofConfirmed.select(({ fn }) => fn.sum<number>('c.redeemed').as('sum')).as('confirmedRedeemedCount'),
        // Of those whose payment at the door was undone.
        eb
          .selectFrom('registrations as r')
          .innerJoin('extrasPurchases as p', 'p.registrationId', 'r.id')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('r.eventId', '=', unplanned(event.id))
          .where('r.status', '=', 'pending')
          .whereRef('p.extrasId', '=', 'extras.id')
          .where('p.status', '=', true)
          .as('heldRedeemedCount'),
        ofConfirmed.select(({ fn }) => fn.sum<number>('c.sold').as('sum')).as('confirmedCount'),
        // Registrations that staff confirmed again after a refund are not paid.
        ofConfirmed.select(({ fn }) => fn.sum<number>('c.amount').as('sum')).as('soldAmount'),
      ]
    })
    .where('eventId', '=', event.id)
    .where('removedAt', 'is', null)
    .$if(onlyId !== undefined, (query) => query.where('id', '=', onlyId ?? 0))
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(({ confirmedRedeemedCount, heldRedeemedCount, confirmedCount, soldAmount, ...row }) => ({
    ...row,
    currency: event.currency,
    redeemedCount: Number(confirmedRedeemedCount ?? 0) + Number(heldRedeemedCount ?? 0),
    // The others sold are held until they are paid.
    unpaidCount: row.soldCount - Number(confirmedCount ?? 0),
    soldAmount: Number(soldAmount ?? 0),
  }))
}

/** The vouchers on sale of several events. Their stock cannot change while the events' rows are locked. */
export async function findExtrasOf(db: Db, eventIds: readonly number[]): Promise<ExtrasRow[]> {
  return db.selectFrom('extras').selectAll().where('eventId', 'in', eventIds).where('removedAt', 'is', null).execute()
}

/** Adds a voucher after the others. */
export async function insertExtras(tx: Tx, row: Omit<Insertable<ExtrasTable>, 'position'>): Promise<ExtrasRow> {
  return tx
    .insertInto('extras')
    .values((eb) => ({
      ...row,
      position: eb
        .selectFrom('extras')
        .select(({ fn, lit }) => sql<number>`${fn.coalesce(fn.max('position'), lit(0))} + 1`.as('next'))
        .where('eventId', '=', row.eventId),
    }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A voucher on sale of this event, changed; undefined when there is none. */
export async function updateExtras(
  tx: Tx,
  eventId: number,
  id: number,
  edit: Updateable<ExtrasTable>,
): Promise<ExtrasRow | undefined> {
  return tx
    .updateTable('extras')
    .set((eb) => ({ ...edit, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('eventId', '=', eventId)
    .where('removedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Puts an event's vouchers in this order; those not named come last. */
export async function sortExtras(tx: Tx, eventId: number, ids: readonly number[]): Promise<void> {
  await sql`
    update extras set position = coalesce(array_position(${ids}::int[], id), ${ids.length} + position)
    where event_id = ${eventId}
  `.execute(tx)
}

/** A voucher that a registration buys. */
export interface NewPurchase {
  registrationId: number
  extras: ExtrasRow
}

/** Stores the vouchers bought, each with a secret of its own, and counts them as sold. The events' rows must be locked. */
export async function insertPurchases(tx: Tx, bought: readonly NewPurchase[]): Promise<void> {
  if (bought.length === 0) return
  const rows = bought.map(({ registrationId, extras }) => ({ registrationId, extras, qrUuid: randomUUID() }))
  await sql`
    insert into extras_purchases (registration_id, extras_id, name, price, qr_uuid)
    select * from unnest(
      ${rows.map(({ registrationId }) => registrationId)}::int[], ${rows.map(({ extras }) => extras.id)}::int[],
      ${rows.map(({ extras }) => extras.name)}::text[], ${rows.map(({ extras }) => extras.price)}::int[],
      ${rows.map(({ qrUuid }) => qrUuid)}::uuid[]
    )
  `.execute(tx)
  // A voucher without contents counts as one unit of itself.
  const units = rows.flatMap(({ extras, qrUuid }) =>
    (extras.content.length > 0 ? extras.content : [{ name: extras.name, quantity: 1 }]).map((item, position) => ({
      ...item,
      qrUuid,
      position,
    })),
  )
  await sql`
    insert into purchase_units (purchase_id, position, name, quantity)
    select p.id, u.position, u.name, u.quantity from unnest(
      ${units.map(({ qrUuid }) => qrUuid)}::uuid[], ${units.map(({ position }) => position)}::int[],
      ${units.map(({ name }) => name)}::text[], ${units.map(({ quantity }) => quantity)}::int[]
    ) as u (qr_uuid, position, name, quantity) join extras_purchases p on p.qr_uuid = u.qr_uuid
  `.execute(tx)
  await addSold(
    tx,
    bought.map(({ extras }) => extras.id),
  )
}

/** Counts these vouchers as sold; an id given twice counts twice. The database refuses to sell more than there are (`extras_stock`). */
async function addSold(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    update extras x set sold_count = sold_count + taken.count
    from (select id, count(*)::int as count from unnest(${ids}::int[]) as id group by id) taken where x.id = taken.id
  `.execute(tx)
}
