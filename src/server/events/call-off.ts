import type { JobRow, Tx } from '../db/schema.ts'
import { insertJob } from '../jobs/queries.ts'
import type { StepResult } from '../jobs/step.ts'

import { queueMails } from '../mail/queries.ts'
import { refundAll } from '../payments/refund.ts'
import { endHolds } from '../places/release-queries.ts'
import { findConfirmedAfter } from '../records/registration-queries.ts'

/** This many attendees are told and refunded in well under 200 ms. */
const CHUNK = 200

/**
 * Runs in the transaction that cancels an event: ends all holds, so that nobody can pay any more, and mails their holders. Telling the
 * others, and giving their money back, is a job.
 */
export async function startCallOff(tx: Tx, now: Date, eventId: number): Promise<void> {
  const ended = await endHolds(tx, [eventId], now, 'all')
  await queueMails(
    tx,
    ended.map(({ id }) => id),
    'event cancelled',
    now,
  )
  await insertJob(tx, { kind: 'call off event', eventId }, now)
}

/** Queues the mails and refunds of some attendees of a cancelled event. */
export async function callOffStep(tx: Tx, now: Date, { eventId, doneId }: JobRow): Promise<StepResult> {
  const ids = eventId === null ? [] : await findConfirmedAfter(tx, eventId, doneId, CHUNK)
  await refundAll(tx, now, ids, 'event cancelled')
  await queueMails(tx, ids, 'event cancelled', now)
  const last = ids.at(-1)
  return last === undefined ? { isDone: true } : { isDone: false, doneId: last }
}
