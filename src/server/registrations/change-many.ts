import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { registrationApi } from '../../contract/registrations.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { checkInByHand } from '../checkins/save-checkin.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../events/queries.ts'
import { move } from './change-status.ts'
import { findOwnRegistrations } from './queries.ts'
import { resend } from './send-ticket.ts'

type Payload = Input<typeof registrationApi.changeMany>['payload']
type Act = (tx: Tx, now: Date, caller: AdminCaller, registration: RegistrationRow) => Promise<unknown>

const acts: Readonly<Record<Payload['action'], Act>> = {
  resend,
  'check in': checkInByHand,
  cancel: (tx, now, caller, registration) => move(tx, now, caller, registration, 'cancelled'),
}

/** Does the same to several registrations in one transaction; those that refuse stay as they are and are counted. */
export async function changeMany({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, payload: Payload) {
  const ids = [...new Set(payload.registrationIds)]
  return db.transaction().execute(async (tx) => {
    // Only seats are the event's; visitors need not wait for the rest.
    if (payload.action === 'cancel') await lockEvent(tx, event.id)
    let changed = 0
    for (const registration of await findOwnRegistrations(tx, event, ids)) {
      try {
        // A refusal comes before anything of it is written, so the transaction goes on.
        await acts[payload.action](tx, now(), caller, registration)
        changed++
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
    return { changed, unchanged: ids.length - changed }
  })
}
