import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Caller } from '../access/caller.ts'
import { logChange } from '../db/changes.ts'
import type { ClubRow, JobRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import {
  deleteClub,
  deleteEvent,
  deleteSomeOfClub,
  deleteSomeOfEvent,
  findEventOfClub,
  insertJob,
} from '../jobs/queries.ts'
import { CHUNK, type StepResult } from '../jobs/step.ts'

import { closeSessionsOf, isMoneyOfClubOpen } from '../payments/payment-queries.ts'
import { lockEventsOfClub } from '../places/seat-queries.ts'
import { lockClub } from '../records/club-queries.ts'
import { listImagesOfClub, markClubRemoved } from './queries.ts'

/**
 * Removes a club with all its data and files: it is hidden and its admins are signed out at once, and a job deletes its rows. The log keeps
 * the removal and who did it. Refuses with HAS_PAID while money of it is open (`isMoneyOfClubOpen`).
 */
export async function removeClub({ db, now }: Deps, caller: Caller, clubId: number): Promise<ClubRow> {
  return db.transaction().execute(async (tx) => {
    // First the events, as a registration does, then the club's row.
    await lockEventsOfClub(tx, clubId)
    const club = await lockClub(tx, clubId)
    if (!club) throw new Refusal('NOT_FOUND')
    if (await isMoneyOfClubOpen(tx, clubId, now()))
      throw new Refusal('HAS_PAID', {
        msg: texts.clubHasMoney,
      })
    await closeSessionsOf(tx, 'clubId', clubId, now())
    await markClubRemoved(tx, clubId, now())
    await insertJob(tx, { kind: 'remove club', clubId }, now())
    // Without the club's id, which would take the row away with the club.
    const change = { clubId: null, userId: caller.id, subject: 'club' as const, subjectId: clubId, action: 'removed' }
    await logChange(tx, now(), change)
    return club
  })
}

/** Deletes some rows of a removed club: event by event, then the rest, finally its own. */
export async function removeClubStep(tx: Tx, _now: Date, { clubId }: JobRow): Promise<StepResult> {
  if (clubId === null) return { isDone: true }
  const eventId = await findEventOfClub(tx, clubId)
  if (eventId !== undefined) {
    if ((await deleteSomeOfEvent(tx, eventId, CHUNK)) > 0) return { isDone: false }
    return { isDone: false, images: [{ kind: 'event-banner', file: await deleteEvent(tx, eventId) }] }
  }
  if ((await deleteSomeOfClub(tx, clubId, CHUNK)) > 0) return { isDone: false }
  const images = await listImagesOfClub(tx, clubId)
  await deleteClub(tx, clubId)
  return { isDone: true, images }
}
