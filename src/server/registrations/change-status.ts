import { Refusal } from '../../contract/errors.ts'
import type { Registration, RegistrationStatus } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { isConflict } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { freeSeats, lockEvent } from '../events/queries.ts'
import { freeVouchers } from '../extras/queries.ts'
import { queueMail } from '../mail/queries.ts'
import { giveAllBack } from '../payments/give-money-back.ts'
import { closeSessions } from '../payments/queries.ts'
import { takeAgain } from '../payments/settle.ts'
import { cancel, confirm, endHolds, findOwnRegistration, setFree, toRegistration } from './queries.ts'

/**
 * Cancels a registration, which frees its seat, voids its ticket and gives back what was paid, or confirms a cancelled one again,
 * for which nothing is to be paid any more. Refuses with
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
      await endHolds(tx, [event.id], now())
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
  const { id, clubId, status: from, email } = before
  if (from === to || to === 'pending' || (from === 'pending' && to === 'confirmed'))
    throw new Refusal('ILLEGAL_TRANSITION', { msg: `A ${from} registration cannot become ${to}.` })
  const saved = to === 'cancelled' ? await letGo(tx, now, before) : await takeUp(tx, before)
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

async function letGo(tx: Tx, now: Date, { id, eventId }: RegistrationRow): Promise<RegistrationRow> {
  await freeSeats(tx, eventId, 1)
  await freeVouchers(tx, id)
  await closeSessions(tx, id, now)
  await giveAllBack(tx, now, id, 'cancelled')
  return cancel(tx, id, 'staff')
}

async function takeUp(tx: Tx, before: RegistrationRow): Promise<RegistrationRow> {
  if (!(await takeAgain(tx, before))) throw new Refusal('SOLD_OUT')
  await setFree(tx, before.id)
  return confirm(tx, before.id)
}
