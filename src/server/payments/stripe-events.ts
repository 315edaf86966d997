import { Refusal } from '../../contract/errors.ts'
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

/** Acts on all that Stripe told and that was not acted on yet, each once, by whichever server takes it. */
export async function handleEvents({ db, now }: Deps): Promise<void> {
  for (let isMore = true; isMore; ) {
    isMore = await db.transaction().execute(async (tx) => {
      const event = await queries.takeStripeEvent(tx)
      if (!event) return false
      await act(tx, now(), event.body)
      await queries.markEventHandled(tx, event.id, now())
      return true
    })
  }
}

/** Everything here may come late, twice and in any order: each step only ever goes forward. */
async function act(tx: Tx, now: Date, facts: StripeFacts): Promise<void> {
  if (facts.kind === 'paid') {
    const payment =
      (await queries.findPaymentBySession(tx, facts.sessionId)) ?? (await queries.findPaymentByKey(tx, facts.key))
    if (payment) await settle(tx, now, payment, facts)
  }
  if (facts.kind === 'ended') {
    const payment = await queries.findPaymentBySession(tx, facts.sessionId)
    if (payment) await queries.endPayment(tx, payment.id)
  }
  if (facts.kind === 'refunded') await refundedElsewhere(tx, now, facts)
  if (facts.kind === 'dispute') {
    const payment = await queries.findPaymentByIntent(tx, facts.paymentIntent)
    if (payment) await queries.noteDispute(tx, payment.id, facts.status)
  }
}

/** More was given back than we asked for: somebody did it at Stripe itself. All of it cancels the registration. */
async function refundedElsewhere(tx: Tx, now: Date, facts: Extract<StripeFacts, { kind: 'refunded' }>): Promise<void> {
  const payment = await queries.findPaymentByIntent(tx, facts.paymentIntent)
  const found = payment?.registrationId ? await findRegistration(tx, payment.registrationId) : undefined
  if (found) await lockEvent(tx, found.eventId)
  const registration = found && (await lockRegistration(tx, found.id))
  const changed = payment && (await queries.noteRefunded(tx, payment.id, facts.amount))
  if (!changed || !registration) return
  const { id, clubId, email, status } = registration
  if (email !== '') await queueMail(tx, { clubId, registrationId: id, kind: 'refunded' }, now)
  if (changed.refunded === changed.amount && status === 'confirmed') await cancelRefunded(tx, now, registration, null)
}
