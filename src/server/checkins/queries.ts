import type { CheckinRow, Tx } from '../db/schema.ts'

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
