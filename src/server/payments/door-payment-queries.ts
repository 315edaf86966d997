import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { DoorWay } from '../../contract/door-money.ts'
import type { Statistics } from '../../contract/statistics.ts'
import type { Db, RegistrationRow, Tx } from '../db/schema.ts'

/** Money that somebody took at the door. */
export interface TakenMoney {
  way: DoorWay
  /** Minor unit. */
  amount: number
  currency: string
  by: string
  /** The phone's name. */
  device: string
  at: Date
}

/** Records the payment of a registration at the door; returns its id. A second one is refused by the database (`payments_taken_once`). */
export async function insertDoorPayment(
  tx: Tx,
  { id: registrationId, clubId, eventId }: RegistrationRow,
  { way, amount, currency, by, device, at }: TakenMoney,
  now: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('payments')
    .values({
      key: randomUUID(),
      clubId,
      eventId,
      registrationId,
      isEmbedded: false,
      status: 'paid',
      amount,
      currency,
      takenAs: way,
      takenBy: by,
      takenOn: device,
      createdAt: now,
      expiresAt: at,
      paidAt: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Whether money for this registration was taken at the door and not given back. */
export async function isPaidAtDoor(db: Db | Tx, registrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from payments where registration_id = ${registrationId} and taken_as is not null and refunded < amount
  `.execute(db)
  return rows.length > 0
}

/** What was taken at the door for an event, by who took it and how; what was given back is subtracted. */
export async function sumDoorMoney(db: Db, eventId: number, currency: string): Promise<Statistics['doorMoney']> {
  const { rows } = await sql<Statistics['doorMoney'][number]>`
    select taken_by as by, taken_as as way, (count(*) filter (where refunded < amount))::int as count,
      sum(amount - refunded)::bigint as amount
    from payments
    where event_id = ${eventId} and registration_id is not null and taken_as in ('cash', 'terminal') and currency = ${currency}
    group by 1, 2 order by 1, 2
  `.execute(db)
  return rows
}

/** How these registrations were paid at the door, with who took the money; the latest payment of each. */
export async function findTaken(
  db: Db,
  registrationIds: readonly number[],
): Promise<Map<number, { way: DoorWay; by: string }>> {
  const { rows } = await sql<{ registrationId: number; way: DoorWay; by: string }>`
    select distinct on (registration_id) registration_id, taken_as as way, taken_by as by
    from payments where registration_id = any(${registrationIds}::int[]) and taken_as in ('cash', 'terminal') and refunded < amount
    order by registration_id, id desc
  `.execute(db)
  return new Map(rows.map(({ registrationId, ...taken }) => [registrationId, taken]))
}
