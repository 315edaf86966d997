import { Refusal } from '../../contract/errors.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChanges } from '../db/changes.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { enforce } from '../limits/limit-tries.ts'
import { queueMails } from '../mail/queries.ts'
import { findOwnRegistration } from './queries.ts'

/** Queues the ticket's mail again. Refuses with TICKET_CANCELLED, TICKET_UNPAID, NO_EMAIL, TOO_MANY_TRIES. */
export async function sendTicket({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const registration = await findOwnRegistration(tx, event, id)
    if (!registration) throw new Refusal('NOT_FOUND')
    await resend(tx, now(), caller, registration)
  })
}

export async function resend(tx: Tx, now: Date, caller: AdminCaller, registration: RegistrationRow): Promise<void> {
  const { status, email } = registration
  if (status !== 'confirmed') throw new Refusal(status === 'pending' ? 'TICKET_UNPAID' : 'TICKET_CANCELLED')
  if (email === '') throw new Refusal('NO_EMAIL')
  await enforce(tx, now, [{ rule: 'ticket sent by staff', of: String(registration.id) }])
  await resendMany(tx, now, caller, [registration])
}

/** Queues the ticket's mail again to those who have a valid ticket and an address; answers how many they are. */
export async function resendMany(
  tx: Tx,
  now: Date,
  caller: AdminCaller,
  registrations: readonly RegistrationRow[],
): Promise<number> {
  const valid = registrations.filter(({ status, email }) => status === 'confirmed' && email !== '')
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
  return valid.length
}
