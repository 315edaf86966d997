import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { EventRow, JobRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { deleteEvent, deleteSomeOfEvent, insertJob } from '../jobs/queries.ts'
import { CHUNK, type StepResult } from '../jobs/step.ts'
import { closeSessionsOf, isMoneyOpen } from '../payments/payment-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { hasPaidRegistrations } from '../records/registration-queries.ts'
import { markEventRemoved } from './queries.ts'

/**
 * Removes an event with its registrations: it is hidden at once, and a job deletes its rows. Refuses with HAS_PAID while money of it is
 * open.
 */
export async function removeEvent({ db, now }: Deps, caller: AdminCaller, event: OwnEvent): Promise<EventRow> {
  return db.transaction().execute(async (tx) => {
    const before = await lockEvent(tx, event.id)
    if (!before) throw new Refusal('NOT_FOUND')
    if (before.status !== 'cancelled' && (await hasPaidRegistrations(tx, event.id))) throw new Refusal('HAS_PAID')
    if (await isMoneyOpen(tx, event.id))
      throw new Refusal('HAS_PAID', {
        msg: texts.eventHasMoney,
      })
    await closeSessionsOf(tx, 'eventId', event.id, now())
    await markEventRemoved(tx, event.id, now())
    await insertJob(tx, { kind: 'remove event', eventId: event.id }, now())
    const { id: subjectId, clubId, name, status, registrationCount } = before
    // With the name, by which the history still calls it.
    const state = { name, status, registrationCount }
    const what = { subject: 'event' as const, subjectId, action: 'removed', before: state }
    await logChange(tx, now(), { clubId, userId: caller.id, ...what })
    return before
  })
}

/** Deletes some rows of a removed event, finally its own. */
export async function removeEventStep(tx: Tx, _now: Date, { eventId }: JobRow): Promise<StepResult> {
  if (eventId === null) return { isDone: true }
  if ((await deleteSomeOfEvent(tx, eventId, CHUNK)) > 0) return { isDone: false }
  return { isDone: true, images: [{ kind: 'event-banner', file: await deleteEvent(tx, eventId) }] }
}
