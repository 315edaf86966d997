import type { doorApi } from '../../contract/door.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { addRegistration } from '../attendees/add.ts'
import { letInOnce } from '../checkins/save-checkin.ts'
import { runStatement } from '../db/statement.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findCheckin } from '../records/checkin-queries.ts'
import { findEditableRegistration, toRegistration } from '../records/registration-queries.ts'
import { seeConflicts } from '../scans/conflicts.ts'
import { toOutcomeCheckin } from '../scans/outcome.ts'
import { lockConflict, lockScan, outcomesUpdate, updateConflictTicket } from '../scans/queries.ts'

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
      // The scan before its conflict, as when it is undone.
      const scan = await lockScan(tx, event.id, scanId)
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
      // So that the phone that let them in can still take it back.
      const checkin = toOutcomeCheckin(await findCheckin(tx, added.id))
      const outcome = { code: null, registrationId: added.id, checkin, eventName: null, isAdded: true }
      if (scan) await runStatement(tx, outcomesUpdate(new Map([[scanId, outcome]])))
      await seeConflicts(tx, now(), event, caller, [scanId])
      return toRegistration(added)
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}
