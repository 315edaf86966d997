import type { doorApi } from '../../contract/door.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { addRegistration } from '../attendees/add.ts'
import { letInOnce } from '../checkins/save-checkin.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findEditableRegistration, toRegistration } from '../records/registration-queries.ts'
import { seeConflicts } from '../scans/conflicts.ts'
import { lockConflict, updateConflictTicket } from '../scans/queries.ts'

/**
 * Adds somebody whom a phone had added without network and who got no registration. They are checked in as the phone noted it. Once they
 * are added, every repetition returns that registration; NOT_FOUND when it has been removed since.
 */
export async function addFromConflict(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { scanId, ...wish }: Input<typeof doorApi.addFromConflict>['payload'],
): Promise<Registration> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockEvent(tx, event.id)
      const conflict = await lockConflict(tx, event.id, scanId)
      if (!conflict?.walkIn) throw new Refusal('NOT_FOUND')
      if (conflict.ticketId !== null)
        return toRegistration(await findEditableRegistration(tx, event, conflict.ticketId))
      // What was noted of them has been deleted.
      if (conflict.walkIn.name === '') throw new Refusal('NOT_FOUND')
      const added = await addRegistration({ tx, now: now(), caller, event }, wish)
      const { scannedAt: at, scannedBy: by, device } = conflict
      await letInOnce(tx, now(), caller, added, { at, by, device })
      await updateConflictTicket(tx, scanId, added.id)
      await seeConflicts(tx, now(), event, caller, [scanId])
      return toRegistration(added)
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}
