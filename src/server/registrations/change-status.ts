import { Refusal } from '../../contract/errors.ts'
import type { Registration, RegistrationStatus } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { isConflict } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { freeSeats, lockEvent, takeSeat } from '../events/queries.ts'
import { queueMail } from '../mail/queries.ts'
import { findOwnRegistration, setStatus, toRegistration } from './queries.ts'

/**
 * Cancels a registration, which frees its seat and voids its ticket, or confirms a cancelled one again. Refuses with
 * ILLEGAL_TRANSITION, SOLD_OUT, ALREADY_REGISTERED (somebody of this name and address has a place by now).
 */
export async function changeStatus(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { id, status }: { id: number; status: RegistrationStatus },
): Promise<Registration> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockEvent(tx, event.id)
      const before = await findOwnRegistration(tx, event, id)
      if (!before) throw new Refusal('NOT_FOUND')
      return toRegistration(await move(tx, now(), caller, before, status))
    })
  } catch (error) {
    throw isConflict(error, 'registrations_live_key') ? new Refusal('ALREADY_REGISTERED') : error
  }
}

/** Makes the change to a registration whose event is locked, with its log row and the mail that tells of it. */
export async function move(tx: Tx, now: Date, caller: AdminCaller, before: RegistrationRow, to: RegistrationStatus) {
  const { id, eventId, clubId, status: from, email } = before
  if (from === to || to === 'pending' || (from === 'pending' && to === 'confirmed'))
    throw new Refusal('ILLEGAL_TRANSITION', { msg: `A ${from} registration cannot become ${to}.` })
  if (to === 'cancelled') await freeSeats(tx, eventId, 1)
  else if (!(await takeSeat(tx, eventId))) throw new Refusal('SOLD_OUT')
  const saved = await setStatus(tx, id, to)
  const kind = to === 'cancelled' ? 'registration cancelled' : 'ticket'
  if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind }, now)
  await logChange(tx, now, {
    clubId,
    userId: caller.id,
    subject: 'registration',
    subjectId: id,
    action: to,
    before: { status: from },
    after: { status: to },
  })
  return saved
}
