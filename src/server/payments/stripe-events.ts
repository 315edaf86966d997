import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import { logRegistration } from '../db/changes.ts'
import type { Tx } from '../db/schema.ts'
import type { StripeFacts } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'

import { queueMails } from '../mail/queries.ts'
import { LONGEST_EVENT_GAP_MS } from './hold.ts'
import { lockPaidFor } from './paid-for.ts'
import {
  endPayment,
  findPaymentByIntent,
  findPaymentByKey,
  findPaymentBySession,
  lockParts,
  storeDispute,
} from './payment-queries.ts'
import { cancelRefunded, refundAll } from './refund.ts'
import { findRefundByStripeId, markRefundFailed, storeRefunded } from './refund-queries.ts'
import { settle } from './settle.ts'
import { factsOf, isEvent, isOurs } from './stripe.ts'
import { insertStripeEvent, markEventHandled, postponeEvent, takeStripeEvent } from './stripe-event-queries.ts'
import { type MadeRefund, tellPayer } from './tell-payer.ts'

/**
 * Stores a Stripe event, then handles it. Stripe gets its answer once it is stored: if handling fails, the worker finishes it. Refuses with
 * BAD_SIGNATURE what Stripe did not sign, or too long ago.
 */
export async function takeEvent(deps: Deps, body: Buffer, signature: string): Promise<void> {
  const { db, now, stripe, log } = deps
  if (!stripe) throw new Refusal('NOT_FOUND')
  const event = (() => {
    try {
      return stripe.client.webhooks.constructEvent(
        body,
        signature,
        stripe.webhookSecret,
        undefined,
        undefined,
        now().getTime(),
      )
    } catch {
      throw new Refusal('BAD_SIGNATURE')
    }
  })()
  if (!isEvent(event)) throw new Refusal('NOT_READABLE', { msg: texts.notAStripeEvent })
  // From another mode or account: it is not ours, and sending it again would not change that.
  if (!isOurs(stripe, event))
    return log.warn({ event: event.id, type: event.type }, 'event of Stripe is not for our key')
  await insertStripeEvent(db, event.id, factsOf(event), now())
  await handleNext(deps, event.id).catch((error: unknown) =>
    log.warn({ err: describeError(error) }, 'event of Stripe waits'),
  )
}

const MINUTE = 60_000
/** How long an event about an unknown payment waits, in ms: the payment may become known later, or not be ours. */
const PATIENCE_MS = 3 * 24 * 60 * MINUTE

/** Handles all stored events that were not handled yet, each once, by whichever server takes it. */
export async function handleEvents(deps: Deps): Promise<void> {
  while (await handleNext(deps, null));
}

/**
 * Handles the event that has waited longest, or this one; false when there is none. One that cannot be handled is postponed, so that it
 * does not hold up those behind it, and is given up in the end.
 */
async function handleNext(deps: Deps, id: string | null): Promise<boolean> {
  const { db, now, log } = deps
  const taken: { id: string; attempts: number; receivedAt: Date }[] = []
  const isTooOld = ({ receivedAt }: { receivedAt: Date }) => now().getTime() - receivedAt.getTime() > PATIENCE_MS
  try {
    return await db.transaction().execute(async (tx) => {
      const event = await takeStripeEvent(tx, now(), id)
      if (!event) return false
      taken.push(event)
      const isDone = await act(tx, now(), event.body)
      if (isDone || isTooOld(event)) await markEventHandled(tx, event.id, now())
      else await postponeEvent(tx, event.id, nextTry(now(), event.attempts))
      return true
    })
  } catch (error) {
    const [event] = taken
    if (!event) throw error
    const isGivenUp = isTooOld(event)
    log.error({ err: describeError(error), event: event.id, isGivenUp }, 'event of Stripe not acted on')
    if (isGivenUp) await markEventHandled(db, event.id, now())
    else await postponeEvent(db, event.id, nextTry(now(), event.attempts))
    return true
  }
}

function nextTry(now: Date, attempts: number): Date {
  return new Date(now.getTime() + Math.min(2 ** attempts * MINUTE, LONGEST_EVENT_GAP_MS))
}

/**
 * Events may come late, twice and in any order: each step only ever goes forward. False when it is about a payment that is not known as
 * paid yet.
 */
async function act(tx: Tx, now: Date, facts: StripeFacts): Promise<boolean> {
  switch (facts.kind) {
    case 'paid': {
      const payment = (await findPaymentBySession(tx, facts.sessionId)) ?? (await findPaymentByKey(tx, facts.key))
      if (payment) await settle(tx, now, payment, facts)
      return true
    }
    case 'ended': {
      const payment = await findPaymentBySession(tx, facts.sessionId)
      if (payment) await endPayment(tx, payment.id)
      return true
    }
    case 'refund failed': {
      const refund = await findRefundByStripeId(tx, facts.refundId)
      if (refund) await markRefundFailed(tx, refund.id, 'The card did not take it back.')
      return true
    }
    case 'refunded':
      return refundedElsewhere(tx, now, facts)
    case 'dispute':
      return disputed(tx, now, facts)
    default:
      return true
  }
}

/** More was given back than we asked for: somebody did it at Stripe itself. All of it cancels the registrations that it was paid for. */
async function refundedElsewhere(
  tx: Tx,
  now: Date,
  facts: Extract<StripeFacts, { kind: 'refunded' }>,
): Promise<boolean> {
  const known = await findPaymentByIntent(tx, facts.paymentIntent)
  if (!known) return false
  const { registrations } = await lockPaidFor(tx, now, known)
  const parts = await lockParts(tx, known.id)
  const made = await storeRefunded(tx, parts, facts.amount, now)
  const noted: MadeRefund[] = []
  for (const { id, part, amount } of made) {
    const registration = registrations.find((row) => row.id === part.registrationId)
    if (!registration) continue
    noted.push({ id, registration })
    const change = { action: 'refund at Stripe', after: { amount: part.refunded + amount } }
    await logRegistration(tx, now, registration, { userId: null, ...change })
  }
  await tellPayer(tx, now, noted)
  const isAll = facts.amount >= parts.reduce((sum, { amount }) => sum + amount, 0)
  if (made.length > 0 && isAll)
    for (const registration of registrations)
      if (registration.status === 'confirmed') await cancelRefunded(tx, now, registration, null)
  return true
}

/** Money kept back during a dispute is given back once the bank has decided for us, if its place or the event is cancelled by then. */
async function disputed(tx: Tx, now: Date, facts: Extract<StripeFacts, { kind: 'dispute' }>): Promise<boolean> {
  const known = await findPaymentByIntent(tx, facts.paymentIntent)
  if (!known) return false
  const { event, registrations } = await lockPaidFor(tx, now, known)
  await storeDispute(tx, known.id, facts.status)
  const isCalledOff = event?.status === 'cancelled'
  for (const { id } of registrations.filter(({ status }) => status === 'cancelled' || isCalledOff))
    if (await refundAll(tx, now, [id], isCalledOff ? 'event cancelled' : 'cancelled'))
      await queueMails(tx, [id], 'refunded', now)
  return true
}
