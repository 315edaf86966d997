import { sql } from 'kysely'
import { isDue } from '../db/is-due.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { StripeFacts } from '../db/tables/payments.ts'
import { LONGEST_EVENT_GAP_MS } from './hold.ts'

/** Keeps what Stripe told; false when it had told it before. */
export async function insertStripeEvent(db: Db, id: string, facts: StripeFacts, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('stripeEvents')
    .values({ id, body: JSON.stringify(facts), receivedAt: now, runAt: now, handledAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The longest due of Stripe's events (or this one, due or not), locked; undefined when none is that nobody else has. */
export async function takeStripeEvent(tx: Tx, now: Date, id: string | null) {
  return tx
    .selectFrom('stripeEvents')
    .selectAll()
    .where('handledAt', 'is', null)
    .where(id === null ? isDue('runAt', now, LONGEST_EVENT_GAP_MS) : sql<boolean>`id = ${id}`)
    .orderBy('runAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Puts an event off, so that it does not keep those behind it waiting. */
export async function postponeEvent(db: Db, id: string, runAt: Date): Promise<void> {
  await db
    .updateTable('stripeEvents')
    .set((eb) => ({ runAt, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/**
 * Has what Stripe told of a payment, before the payment was known, acted on at once. Those that somebody acts on at this moment are
 * passed over: waiting for them would be waiting in a circle.
 */
export async function wakeEventsOf(tx: Tx, paymentIntent: string, now: Date): Promise<void> {
  await sql`
    update stripe_events set run_at = ${now} where id in (
      select id from stripe_events where handled_at is null and body ->> 'paymentIntent' = ${paymentIntent}
      for update skip locked
    )
  `.execute(tx)
}

export async function markEventHandled(tx: Db, id: string, now: Date): Promise<void> {
  await tx.updateTable('stripeEvents').set({ handledAt: now }).where('id', '=', id).execute()
}
