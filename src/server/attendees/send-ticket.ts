import { Refusal, refusalForTicket } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChanges } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { count, tooMany } from '../limits/limit-tries.ts'
import { queueMails } from '../mail/queries.ts'
import { findEditableRegistration } from '../records/registration-queries.ts'

/** Queues the ticket's mail again. Refuses with TICKET_CANCELLED, TICKET_UNPAID, NO_EMAIL, TOO_MANY_TRIES. */
export async function sendTicket({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const registration = await findEditableRegistration(tx, event, id)
    await resend(tx, now(), caller, registration)
  })
}

export async function resend(tx: Tx, now: Date, caller: AdminCaller, registration: RegistrationRow): Promise<void> {
  const { status, email } = registration
  const invalid = refusalForTicket(status)
  if (invalid) throw new Refusal(invalid)
  if (email === '') throw new Refusal('NO_EMAIL')
  const { over } = await resendMany(tx, now, caller, [registration])
  if (over) throw tooMany(over)
}

/**
 * Queues the ticket's mail again for those with a valid ticket and an address, unless it was sent too often. Returns how many were queued,
 * and the limit that one of the others exceeds.
 */
export async function resendMany(tx: Tx, now: Date, caller: AdminCaller, registrations: readonly RegistrationRow[]) {
  const sendable = registrations.filter(({ status, email }) => status === 'confirmed' && email !== '')
  const counted = await count(
    tx,
    now,
    sendable.map(({ id }) => ({ rule: 'ticket sent by staff', of: String(id) })),
  )
  const valid = sendable.filter((_, index) => (counted[index]?.excess ?? 0) <= 0)
  await queueMails(
    tx,
    valid.map(({ id }) => id),
    'ticket',
    now,
  )
  const what = { at: now, userId: caller.id, subject: 'registration', action: 'ticket sent again' } as const
  await logChanges(
    tx,
    valid.map(({ id, clubId }) => ({ ...what, clubId, subjectId: id })),
  )
  return { sent: valid.length, over: counted.find(({ excess }) => excess > 0) }
}
