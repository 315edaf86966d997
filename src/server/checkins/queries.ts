import type { CheckinRow, Tx } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'

/** Somebody about to be let in. */
export interface Admission {
  registrationId: number
  eventId: number
  checkedInBy: string
  at: Date
  device: string | null
}

/**
 * Checks registrations in and returns the check-ins made, none for those that are checked in already. Of concurrent tries one gets the row.
 * Ordered by id, so that two statements never deadlock.
 */
export async function checkInOnce(tx: Tx, admissions: readonly Admission[]): Promise<CheckinRow[]> {
  if (admissions.length === 0) return []
  const sent = checkIn(
    admissions.map(({ registrationId }) => registrationId),
    admissions.map(({ eventId }) => eventId),
    admissions.map(({ at }) => at),
    admissions.map(({ checkedInBy }) => checkedInBy),
    admissions.map(({ device }) => device),
  )
  return runStatement(tx, sent)
}

const checkIn = statement<CheckinRow>(
  'check in once',
  `
  insert into checkins as c (registration_id, event_id, status, checkin_time, checked_in_by, device)
  select registration_id, event_id, true, at, by, device
  from unnest($1::int[], $2::int[], $3::timestamptz[], $4::text[], $5::text[]) as t (registration_id, event_id, at, by, device) order by 1
  on conflict (registration_id) do update
    set status = true, checkin_time = excluded.checkin_time, checked_in_by = excluded.checked_in_by, device = excluded.device
    where not c.status
  returning *
  `,
)

/** Undoes a check-in; null when there is none. */
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
