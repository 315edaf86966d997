import type { PaymentRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../events/queries.ts'
import { describe } from '../http/errors.ts'
import { endHolds, findEventsWithEndedHolds, findRegistration } from '../registrations/queries.ts'
import { closeAtStripe } from './checkout.ts'
import { ASK_EVERY_MS } from './hold.ts'
import { learn } from './learn.ts'
import * as queries from './queries.ts'
import { type CardPayment, isRefusedByStripe, stripeCodeOf } from './stripe.ts'
import { handleEvents } from './stripe-events.ts'

const BATCH = 10
const LEASE_MS = 30_000
const POLL_MS = 1_000
const LONGEST_GAP_MIN = 60

/** One round of all that waits: holds that ended, what Stripe told, what it did not tell, money to give back. */
export async function workOnPayments(deps: Deps): Promise<void> {
  for (const step of [freeEndedHolds, handleEvents, askStripe, makeRefunds])
    await step(deps).catch((error: unknown) => deps.log.error({ err: describe(error) }, 'payment worker failed'))
}

async function freeEndedHolds({ db, now }: Deps): Promise<void> {
  for (const eventId of await findEventsWithEndedHolds(db, now())) {
    await db.transaction().execute(async (tx) => {
      await lockEvent(tx, eventId)
      await endHolds(tx, [eventId], now())
    })
  }
}

async function askStripe(deps: Deps): Promise<void> {
  const { db, now, stripe } = deps
  if (!stripe) return
  const lockedUntil = new Date(now().getTime() + LEASE_MS)
  for (const payment of await queries.claimToAsk(db, { now: now(), lockedUntil, limit: BATCH })) {
    await askAbout(deps, stripe, payment).catch((error: unknown) =>
      deps.log.warn({ err: describe(error), paymentId: payment.id }, 'Stripe not asked'),
    )
    await queries.askAgain(db, payment.id, new Date(now().getTime() + ASK_EVERY_MS))
  }
}

/** A session of a registration that no longer waits for it is ended; of any other Stripe is asked what became of it. */
async function askAbout(deps: Deps, stripe: CardPayment, payment: PaymentRow): Promise<void> {
  const registration =
    payment.registrationId === null ? undefined : await findRegistration(deps.db, payment.registrationId)
  if (registration?.status !== 'pending') return closeAtStripe(deps, stripe, payment)
  if (payment.sessionId !== null)
    await learn(deps, payment, await stripe.client.checkout.sessions.retrieve(payment.sessionId))
}

/** Has Stripe give back what is queued. */
export async function makeRefunds(deps: Deps): Promise<void> {
  const { db, now, stripe, log } = deps
  if (!stripe) return
  const lockedUntil = new Date(now().getTime() + LEASE_MS)
  for (const row of await queries.claimRefunds(db, { now: now(), lockedUntil, limit: BATCH })) {
    try {
      const made = await stripe.client.refunds.create(
        { payment_intent: row.paymentIntent ?? '', amount: row.amount, metadata: { refund: row.key } },
        { idempotencyKey: row.key },
      )
      await queries.markRefundDone(db, row.id, made.id)
    } catch (error) {
      // Somebody was quicker, at Stripe itself: the money is where it belongs.
      if (stripeCodeOf(error) === 'charge_already_refunded') {
        await queries.markRefundDone(db, row.id, null)
        continue
      }
      const gapMs = Math.min(2 ** (row.attempts - 1), LONGEST_GAP_MIN) * 60_000
      const nextTry = isRefusedByStripe(error) ? null : new Date(now().getTime() + gapMs)
      log.warn({ err: describe(error), refundId: row.id, willRetry: nextTry !== null }, 'refund not made')
      await queries.markRefundTry(db, row.id, describe(error).message.slice(0, 500), nextTry)
    }
  }
}

/** Works in the background until stopped; `stop` waits for the round under way. */
export function startPaymentWorker(deps: Deps): { stop: () => Promise<void> } {
  let isStopping = false
  let wake = () => {}
  async function run(): Promise<void> {
    while (!isStopping) {
      await workOnPayments(deps)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (isStopping) wake()
      })
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopping = true
      wake()
      await running
    },
  }
}
