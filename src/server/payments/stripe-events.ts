import { Refusal } from '../../contract/errors.ts'
import { logChange } from '../db/changes.ts'
import type { StripeFacts, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../events/queries.ts'
import { describe } from '../http/errors.ts'
import { queueMail } from '../mail/queries.ts'
import { findRegistration, lockRegistration } from '../registrations/queries.ts'
import { cancelRefunded } from './give-money-back.ts'
import * as queries from './queries.ts'
import { settle } from './settle.ts'
import { factsOf } from './stripe.ts'

/**
 * Keeps what Stripe tells, then acts on it. It is answered once it is kept: what acting comes to is the worker's to finish.
 * Refuses with BAD_SIGNATURE what Stripe did not sign, or too long ago.
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
  await queries.insertStripeEvent(db, event.id, factsOf(event), now())
  await handleEvents(deps).catch((error: unknown) => log.warn({ err: describe(error) }, 'event of Stripe waits'))
}

const MINUTE = 60_000
/** What is about a payment that we have not heard of waits this long: it may be told of later, or be none of ours. */
const PATIENCE_MS = 3 * 24 * 60 * MINUTE

/**
 * Acts on all that Stripe told and that was not acted on yet, each once, by whichever server takes it. One that cannot be acted
 * on is put off, so that it holds up nobody behind it.
 */
export async function handleEvents(deps: Deps): Promise<void> {
  const { db, now, log } = deps
  for (;;) {
    const taken: { id: string; attempts: number }[] = []
    try {
      const isMore = await db.transaction().execute(async (tx) => {
        const event = await queries.takeStripeEvent(tx, now())
        if (!event) return false
        taken.push(event)
        const isDone = await act(tx, now(), event.body)
        const isTooOld = now().getTime() - event.receivedAt.getTime() > PATIENCE_MS
        if (isDone || isTooOld) await queries.markEventHandled(tx, event.id, now())
        else await queries.postponeEvent(tx, event.id, nextTry(now(), event.attempts))
        return true
      })
      if (!isMore) return
    } catch (error) {
      const [event] = taken
      if (!event) throw error
      log.error({ err: describe(error), event: event.id }, 'event of Stripe not acted on')
      await queries.postponeEvent(db, event.id, nextTry(now(), event.attempts))
    }
  }
}

function nextTry(now: Date, attempts: number): Date {
  return new Date(now.getTime() + Math.min(2 ** attempts, 60) * MINUTE)
}

/**
 * Everything here may come late, twice and in any order: each step only ever goes forward. False when it is about a payment that is
 * not known as paid yet.
 */
async function act(tx: Tx, now: Date, facts: StripeFacts): Promise<boolean> {
  switch (facts.kind) {
    case 'paid': {
      const payment =
        (await queries.findPaymentBySession(tx, facts.sessionId)) ?? (await queries.findPaymentByKey(tx, facts.key))
      if (payment) await settle(tx, now, payment, facts)
      return true
    }
    case 'ended': {
      const payment = await queries.findPaymentBySession(tx, facts.sessionId)
      if (payment) await queries.endPayment(tx, payment.id)
      return true
    }
    case 'refund failed': {
      const refund = await queries.findRefundByStripeId(tx, facts.refundId)
      if (refund) await queries.markRefundFailed(tx, refund.id, 'The card did not take it back.')
      return true
    }
    case 'refunded':
      return refundedElsewhere(tx, now, facts)
    case 'dispute': {
      const payment = await queries.findPaymentByIntent(tx, facts.paymentIntent)
      if (payment) await queries.noteDispute(tx, payment.id, facts.status)
      return payment !== undefined
    }
    default:
      return true
  }
}

/** More was given back than we asked for: somebody did it at Stripe itself. All of it cancels the registration. */
async function refundedElsewhere(
  tx: Tx,
  now: Date,
  facts: Extract<StripeFacts, { kind: 'refunded' }>,
): Promise<boolean> {
  const known = await queries.findPaymentByIntent(tx, facts.paymentIntent)
  if (!known) return false
  const found = known.registrationId === null ? undefined : await findRegistration(tx, known.registrationId)
  if (found) await lockEvent(tx, found.eventId)
  const registration = found && (await lockRegistration(tx, found.id))
  const payment = await queries.lockPayment(tx, known.id)
  const refundId = await queries.noteRefunded(tx, payment, facts.amount, now)
  if (refundId === null || !registration) return true
  const { id, clubId, email, status } = registration
  if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'refunded', refundId }, now)
  const what = { subject: 'registration' as const, subjectId: id, action: 'refund at Stripe' }
  await logChange(tx, now, { clubId, userId: null, ...what, after: { amount: facts.amount } })
  if (facts.amount >= payment.amount && status === 'confirmed') await cancelRefunded(tx, now, registration, null)
  return true
}
