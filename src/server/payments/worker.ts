import { waitBriefly } from '../db/locks.ts'
import type { PaymentRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'

import { endHolds, findEventsWithEndedHolds } from '../places/release-queries.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { closeAtStripe } from './checkout/create-checkout.ts'
import { syncSession } from './checkout/sync-session.ts'
import { ASK_EVERY_MS, LONGEST_REFUND_GAP_MS } from './hold.ts'
import { claimToAsk, isAwaited, reschedule } from './payment-queries.ts'
import { claimRefunds, markRefundDone, markRefundFailed, markRefundTry } from './refund-queries.ts'
import { type CardPayment, faultOf, isFinalRefusal, isRefusedByStripe, stripeCodeOf } from './stripe.ts'
import { handleEvents } from './stripe-events.ts'

const BATCH = 10
const LEASE_MS = 30_000
const LONGEST_GAP_MS = 60 * 60_000
/** How long Stripe is asked again for a refund that it refuses for a reason that may pass, in ms. */
const GIVE_UP_MS = 30 * 24 * 60 * 60_000

/** One round of local work: holds that ended, and Stripe's events. It never waits for Stripe. */
export async function workOnHolds(deps: Deps): Promise<void> {
  await runSteps(deps, [freeEndedHolds, handleEvents])
}

/** One round of requests to Stripe: sessions whose outcome it has not reported, and refunds. */
export async function workAtStripe(deps: Deps): Promise<void> {
  await runSteps(deps, [askStripe, makeRefunds])
}

async function runSteps(deps: Deps, steps: ((deps: Deps) => Promise<void>)[]): Promise<void> {
  for (const step of steps)
    await step(deps).catch((error: unknown) => deps.log.error({ err: describeError(error) }, 'payment worker failed'))
}

async function freeEndedHolds({ db, now, log }: Deps): Promise<void> {
  for (const eventId of await findEventsWithEndedHolds(db, now())) {
    const freeing = db.transaction().execute(async (tx) => {
      await waitBriefly(tx)
      await lockEvent(tx, eventId)
      await endHolds(tx, [eventId], now())
    })
    // An event that is locked just now has its turn in the next round; those behind it do not wait for it.
    await freeing.catch((error: unknown) => log.warn({ err: describeError(error), eventId }, 'ended holds not freed'))
  }
}

async function askStripe(deps: Deps): Promise<void> {
  const { db, now, stripe } = deps
  if (!stripe) return
  const due = await claimToAsk(db, { now: now(), leaseMs: LEASE_MS, limit: BATCH })
  await Promise.all(
    due.map(async (payment) => {
      const isAnswered = await askAbout(deps, stripe, payment).then(
        () => true,
        (error: unknown) => {
          deps.log.warn({ fault: faultOf(error), paymentId: payment.id }, 'Stripe not asked')
          return false
        },
      )
      await reschedule(db, payment.id, new Date(now().getTime() + ASK_EVERY_MS), isAnswered)
    }),
  )
}

/** Ends a session that not all of its registrations wait for any more; for any other session Stripe is asked for its status. */
async function askAbout(deps: Deps, stripe: CardPayment, payment: PaymentRow): Promise<void> {
  if (payment.status === 'ended' || !(await isAwaited(deps.db, payment.id))) await closeAtStripe(deps, stripe, payment)
  else if (payment.sessionId !== null)
    await syncSession(deps, payment, await stripe.client.checkout.sessions.retrieve(payment.sessionId))
}

async function makeRefunds(deps: Deps): Promise<void> {
  const { db, now, stripe } = deps
  if (!stripe) return
  const due = await claimRefunds(db, { now: now(), leaseMs: LEASE_MS, limit: BATCH })
  await Promise.all(due.map((row) => makeRefund(deps, stripe, row)))
}

type DueRefund = Awaited<ReturnType<typeof claimRefunds>>[number]

async function makeRefund(deps: Deps, stripe: CardPayment, row: DueRefund): Promise<void> {
  const { db, now, log } = deps
  try {
    const { id, status } = await askForRefund(stripe, row)
    if (status !== 'failed' && status !== 'canceled') return await markRefundDone(db, row.id, id)
    await db.transaction().execute((tx) => markRefundFailed(tx, row.id, 'The card did not take it back.'))
  } catch (error) {
    // Somebody has refunded it at Stripe itself: the money is where it belongs.
    if (stripeCodeOf(error) === 'charge_already_refunded') return markRefundDone(db, row.id, null)
    const isRefused = isRefusedByStripe(error)
    const isFinal = isFinalRefusal(error) || (isRefused && now().getTime() - row.createdAt.getTime() > GIVE_UP_MS)
    log.warn({ fault: faultOf(error), refundId: row.id, willRetry: !isFinal }, 'refund not made')
    const words = describeError(error).message.slice(0, 500)
    // A refusal that may pass, such as too little balance, passes within days; no answer within minutes.
    const longestMs = isRefused ? LONGEST_REFUND_GAP_MS : LONGEST_GAP_MS
    const runAt = new Date(now().getTime() + Math.min(2 ** (row.attempts - 1) * 60_000, longestMs))
    if (isFinal) await db.transaction().execute((tx) => markRefundFailed(tx, row.id, words))
    else await markRefundTry(db, row.id, { lastError: words, runAt, isRefused })
  }
}

/** Stripe forgets a key after a day: an earlier try whose answer was lost is looked for first. */
async function askForRefund({ client }: CardPayment, { paymentIntent, amount, key, attempts, refusals }: DueRefund) {
  if (paymentIntent === null) throw new Error('A payment that is not paid cannot be given back.')
  if (attempts > 1) {
    const { data } = await client.refunds.list({ payment_intent: paymentIntent, limit: 100 })
    const made = data.find(({ metadata }) => metadata?.refund === key)
    if (made) return made
  }
  return client.refunds.create(
    { payment_intent: paymentIntent, amount, metadata: { refund: key } },
    // Stripe repeats a refusal under its key. A refused refund was not made, so another key is safe then, and only then.
    { idempotencyKey: refusals === 0 ? key : `${key}-${refusals}` },
  )
}

/** Works in the background until stopped. Holds and Stripe's events never wait for a slow Stripe. */
export function startPaymentWorker(deps: Deps): Loop {
  const loops = [
    startLoop(deps, 'payment worker', () => workOnHolds(deps).then(() => false)),
    startLoop(deps, 'payment worker', () => workAtStripe(deps).then(() => false)),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map(({ stop }) => stop()))
    },
    lastRoundAt: () => Math.min(...loops.map(({ lastRoundAt }) => lastRoundAt())),
  }
}
