import { Refusal } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { ofEvent, ofRemovedEvents, retryRefunds } from './refund-queries.ts'

/** Has Stripe asked again for all refunds of an event that it refused; returns how many they are. */
export async function retryRefundsOf({ db, now }: Deps, caller: AdminCaller, event: OwnEvent): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
    const count = await retryRefunds(tx, ofEvent(event.id), now())
    const what = { subject: 'event' as const, subjectId: event.id, action: 'refunds tried again', after: { count } }
    if (count > 0) await logChange(tx, now(), { clubId: event.clubId, userId: caller.id, ...what })
    return count
  })
}

/** The same for the events of the caller's club that were removed since, which have no row to lock: each payment is locked. */
export async function retryRefundsOfRemoved({ db, now }: Deps, caller: AdminCaller): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const count = await retryRefunds(tx, ofRemovedEvents(caller.clubId), now())
    const what = { subject: 'club' as const, subjectId: caller.clubId, action: 'refunds tried again', after: { count } }
    if (count > 0) await logChange(tx, now(), { clubId: caller.clubId, userId: caller.id, ...what })
    return count
  })
}
