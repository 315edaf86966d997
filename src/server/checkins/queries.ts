import { sql } from 'kysely'
import { isEventThere } from '../db/event-there.ts'
import type { CheckinRow, Db, RegistrationRow, Tx } from '../db/schema.ts'

export async function findCheckin(db: Db, registrationId: number): Promise<CheckinRow | undefined> {
  return (await findCheckins(db, [registrationId]))[0]
}

export async function findCheckins(db: Db, registrationIds: readonly number[]): Promise<CheckinRow[]> {
  if (registrationIds.length === 0) return []
  return db
    .selectFrom('checkins')
    .selectAll()
    .where('registrationId', '=', sql<number>`any(${registrationIds}::int[])`)
    .execute()
}

/** Somebody about to be let in. */
export interface Admission {
  registrationId: number
  checkedInBy: string
  at: Date
  device: string | null
}

/**
 * Lets registrations in and answers the check-ins made; of those that are in already there is none. However many try at once,
 * one gets the row. In the order of their ids, so that two statements never wait for each other in a circle.
 */
export async function checkInOnce(tx: Tx, admissions: readonly Admission[]): Promise<CheckinRow[]> {
  if (admissions.length === 0) return []
  const rows = [...admissions].sort((a, b) => a.registrationId - b.registrationId)
  return tx
    .insertInto('checkins')
    .values(rows.map(({ at, ...row }) => ({ ...row, status: true, checkinTime: at })))
    .onConflict((conflict) =>
      conflict
        .column('registrationId')
        .doUpdateSet((eb) => ({
          status: true,
          checkinTime: eb.ref('excluded.checkinTime'),
          checkedInBy: eb.ref('excluded.checkedInBy'),
          device: eb.ref('excluded.device'),
        }))
        .where('checkins.status', '=', false),
    )
    .returningAll()
    .execute()
}

/** Takes a check-in back; null when there is none. */
export async function undoCheckin(tx: Tx, registrationId: number): Promise<CheckinRow | null> {
  const row = await tx
    .updateTable('checkins')
    .set({ status: false, checkinTime: null, checkedInBy: null, device: null })
    .where('registrationId', '=', registrationId)
    .where('status', '=', true)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** Tickets by id, locked until the transaction ends. Whose they are is for the caller to look at. */
export async function lockTickets(tx: Tx, ids: readonly number[]): Promise<RegistrationRow[]> {
  if (ids.length === 0) return []
  return tx
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .where(isEventThere)
    .orderBy('id')
    .forShare()
    .execute()
}
