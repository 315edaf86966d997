import { Refusal } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { removeImage } from '../images/make-image.ts'
import { closeSessionsOfEvent, hasMoney } from '../payments/queries.ts'
import { hasPaidRegistrations } from '../registrations/queries.ts'
import { deleteEvent, lockEvent } from './queries.ts'

/** Removes an event with its registrations. Refuses with HAS_PAID while somebody's money is in it. */
export async function removeEvent({ db, now, images }: Deps, caller: AdminCaller, event: OwnEvent): Promise<EventRow> {
  const removed = await db.transaction().execute(async (tx) => {
    const before = await lockEvent(tx, event.id)
    if (!before) throw new Refusal('NOT_FOUND')
    if ((await hasPaidRegistrations(tx, event.id)) && before.status !== 'cancelled') throw new Refusal('HAS_PAID')
    if (await hasMoney(tx, event.id)) throw new Refusal('HAS_PAID')
    await closeSessionsOfEvent(tx, event.id, now())
    await deleteEvent(tx, event.id)
    const { id: subjectId, clubId, status, registrationCount } = before
    const what = { subject: 'event' as const, subjectId, action: 'removed', before: { status, registrationCount } }
    await logChange(tx, now(), { clubId, userId: caller.id, ...what })
    return before
  })
  await removeImage(images, 'event-banner', removed.banner)
  return removed
}
