import { sql } from 'kysely'
import { isDue } from '../db/is-due.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { StripeFacts } from '../db/tables/payments.ts'
import { LONGEST_EVENT_GAP_MS } from './hold.ts'

/** Stores a Stripe event; false when it was stored before. */
export async function insertStripeEvent(db: Db, id: string, facts: StripeFacts, now: Date): Promise<boolean> {
  const row = await db
    .insertInto('stripeEvents')
    .values({ id, body: JSON.stringify(facts), receivedAt: now, runAt: now, handledAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** The Stripe event that has been due longest (or this one, due or not), locked; undefined when there is none that nobody else works on. */
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

/** Postpones an event, so that those behind it need not wait. */
export async function postponeEvent(db: Db, id: string, runAt: Date): Promise<void> {
  await db
    .updateTable('stripeEvents')
    .set((eb) => ({ runAt, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/**
 * Makes events about a payment that came before the payment was known due at once. Those being handled at this moment are skipped: waiting
 * for them could deadlock.
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
