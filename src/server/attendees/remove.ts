import { Refusal } from '../../contract/errors.ts'
import type { Registration } from '../../contract/registrations.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logRegistration } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { isMoneyUnderWay } from '../payments/payment-queries.ts'
import { releasePlace } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findEditableRegistration, toRegistration } from '../records/registration-queries.ts'
import { deleteRegistration } from '../registrations/queries.ts'

/** Removes a registration for good; its seat is free again. Refuses with HAS_PAID while money paid for it is not given back. */
export async function removeRegistration(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  id: number,
): Promise<Registration> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
    const before = await findEditableRegistration(tx, event, id)
    if (before.amount > 0 && before.status === 'confirmed') throw new Refusal('HAS_PAID')
    if (await isMoneyUnderWay(tx, id)) throw new Refusal('HAS_PAID', { msg: texts.moneyOnItsWay })
    const { status } = before
    if (status !== 'cancelled')
      await releasePlace(tx, before, { reason: 'staff', action: 'cancelled', userId: caller.id }, now())
    // First the log, whose row is given the event of the registration.
    await logRegistration(tx, now(), before, { userId: caller.id, action: 'removed', before: { status } })
    await deleteRegistration(tx, id, now())
    return toRegistration(before)
  })
}
