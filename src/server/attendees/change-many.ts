import type { attendeeApi } from '../../contract/attendees.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { checkInMany } from '../checkins/save-checkin.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'

import { findOwnRegistrations } from '../records/registration-queries.ts'
import { cancelByStaff } from './change-status.ts'
import { resendMany } from './send-ticket.ts'

type Payload = Input<typeof attendeeApi.changeMany>['payload']
/** Applies the action to those locked registrations that allow it, and returns how many those were. */
type Act = (tx: Tx, now: Date, caller: AdminCaller, registrations: readonly RegistrationRow[]) => Promise<number>

const acts: Readonly<Record<Payload['action'], Act>> = {
  resend: async (...args) => (await resendMany(...args)).sent,
  'check in': checkInMany,
  cancel: async (tx, now, caller, registrations) => {
    const live = registrations.filter(({ status }) => status !== 'cancelled')
    return (await cancelByStaff(tx, now, caller, live)).length
  },
}

/** This many rows are changed in well under 200 ms, for which visitors and the door wait. */
const CHUNK = 50

/**
 * Applies an action to several registrations, in one short transaction for each fifty; those that do not allow it stay as they are and are
 * counted. If it is interrupted, repeating the request finishes the rest.
 */
export async function changeMany({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, payload: Payload) {
  if (payload.action === 'check in' && event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
  const ids = [...new Set(payload.registrationIds)].sort((a, b) => a - b)
  let changed = 0
  for (let from = 0; from < ids.length; from += CHUNK)
    changed += await db.transaction().execute(async (tx) => {
      // Only cancelling frees seats of the event; visitors need not wait for the other actions.
      if (payload.action === 'cancel' && !(await lockEvent(tx, event.id))) throw new Refusal('NOT_FOUND')
      const registrations = (await findOwnRegistrations(tx, event, ids.slice(from, from + CHUNK))).filter(
        ({ erasedAt }) => erasedAt === null,
      )
      return acts[payload.action](tx, now(), caller, registrations)
    })
  return { changed, unchanged: ids.length - changed }
}
