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

/** Somebody who was let in before, about to go out or to come back. */
export interface Movement {
  registrationId: number
  isOut: boolean
  at: Date
}

/**
 * Notes that people went out or came back, and returns those who did. Whoever is there already, or has moved since, is left out.
 */
export async function moveOnce(tx: Tx, movements: readonly Movement[]) {
  if (movements.length === 0) return []
  return runStatement(
    tx,
    move(
      movements.map(({ registrationId }) => registrationId),
      movements.map(({ isOut }) => isOut),
      movements.map(({ at }) => at),
    ),
  )
}

/** A check-in whose holder has moved, and when they had moved before. */
export type Moved = CheckinRow & { movedBefore: Date | null }

const move = statement<Moved>(
  'move in or out once',
  `
  update checkins c set is_out = t.is_out, moved_at = t.at
  from (
    select c.registration_id, m.is_out, m.at, c.moved_at as moved_before
    from unnest($1::int[], $2::boolean[], $3::timestamptz[]) as m (registration_id, is_out, at)
    join checkins c on c.registration_id = m.registration_id
    where c.status and c.is_out <> m.is_out and m.at >= coalesce(c.moved_at, c.checkin_time)
    order by 1 for no key update of c
  ) t
  where c.registration_id = t.registration_id
  returning c.*, t.moved_before
  `,
)

/** Undoes a movement, unless they have moved since; whether it was undone. */
export async function undoMovement(
  tx: Tx,
  registrationId: number,
  { isOut, at, before }: { isOut: boolean; at: Date; before: Date | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('checkins')
    .set({ isOut: !isOut, movedAt: before })
    .where('registrationId', '=', registrationId)
    .where('isOut', '=', isOut)
    .where('movedAt', '=', at)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Undoes a check-in; null when there is none. */
export async function undoCheckin(tx: Tx, registrationId: number): Promise<CheckinRow | null> {
  const row = await tx
    .updateTable('checkins')
    .set({ status: false, checkinTime: null, checkedInBy: null, device: null, isOut: false, movedAt: null })
    .where('registrationId', '=', registrationId)
    .where('status', '=', true)
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}
