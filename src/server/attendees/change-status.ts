import { Refusal } from '../../contract/errors.ts'
import type { Registration, RegistrationStatus } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logRegistration } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { toAlreadyRegistered } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { queueMails } from '../mail/queries.ts'
import { isPaidAtDoor } from '../payments/door-payment-queries.ts'
import { refundAll } from '../payments/refund.ts'
import { confirm } from '../places/place-queries.ts'
import { endHolds, releasePlaces } from '../places/release-queries.ts'
import { refusalOfGone, reserveAgain } from '../places/reserve-again.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findEditableRegistration, toRegistration } from '../records/registration-queries.ts'
import { setFree } from '../registrations/queries.ts'

/**
 * Cancels a registration, which frees its seat, voids its ticket and gives back what was paid, or confirms a cancelled one again, free of
 * charge. Refuses with ILLEGAL_TRANSITION, SOLD_OUT, ALREADY_REGISTERED (somebody with this name and address has a place by now).
 */
export async function changeStatus(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { id, status }: { id: number; status: RegistrationStatus },
): Promise<Registration> {
  try {
    return await db.transaction().execute(async (tx) => {
      if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
      await endHolds(tx, [event.id], now())
      const before = await findEditableRegistration(tx, event, id)
      return toRegistration(await move(tx, now(), caller, before, status))
    })
  } catch (error) {
    throw toAlreadyRegistered(error)
  }
}

/** Makes the change to a registration whose event is locked, with its log row and the mail about it. */
async function move(tx: Tx, now: Date, caller: AdminCaller, before: RegistrationRow, to: RegistrationStatus) {
  const { status: from } = before
  if (from === to || to === 'pending' || (from === 'pending' && to === 'confirmed'))
    throw new Refusal('ILLEGAL_TRANSITION', { msg: () => texts.cannotBecome({ from: formOf(from), to: formOf(to) }) })
  if (to === 'confirmed') return confirmAgain(tx, now, caller, before)
  const [cancelled] = await cancelByStaff(tx, now, caller, [before])
  return cancelled ?? before
}

/**
 * Cancels live, locked registrations of a locked event: frees their places, gives back what was paid where allowed, and mails each
 * attendee.
 */
export async function cancelByStaff(tx: Tx, now: Date, caller: AdminCaller, live: readonly RegistrationRow[]) {
  const ids = live.map(({ id }) => id)
  const release = { reason: 'staff', action: 'cancelled', userId: caller.id } as const
  const cancelled = await releasePlaces(tx, live, release, now)
  await refundAll(tx, now, ids, 'cancelled')
  await queueMails(tx, ids, 'registration cancelled', now)
  return cancelled
}

async function confirmAgain(tx: Tx, now: Date, caller: AdminCaller, before: RegistrationRow): Promise<RegistrationRow> {
  const { id, status } = before
  const gone = await reserveAgain(tx, [before])
  if (gone) throw await refusalOfGone(tx, gone)
  // Nothing is due any more, unless what was paid at the door was kept.
  if (!(await isPaidAtDoor(tx, id))) await setFree(tx, id)
  const [saved = before] = await confirm(tx, [id])
  await queueMails(tx, [id], 'ticket', now)
  const change = { before: { status }, after: { status: 'confirmed' } }
  await logRegistration(tx, now, before, { userId: caller.id, action: 'confirmed', ...change })
  return saved
}

const formOf = (status: RegistrationRow['status']) => (status === 'cancelled' ? 'other' : status)
