import type Stripe from 'stripe'
import { Refusal } from '../../../contract/errors.ts'
import { type Order, orderUrl } from '../../../contract/order.ts'
import type { Checkout } from '../../../contract/payments.ts'
import * as texts from '../../../texts/generated/api.ts'
import { type From, visitorOf } from '../../access/visitor.ts'
import type { PaymentRow, RegistrationRow } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { byNetwork, limitTries } from '../../limits/limit-tries.ts'
import { ASK_EVERY_MS } from '../hold.ts'
import { claimForPolling, endPayment, endUnanswered, storeRequest, storeSession } from '../payment-queries.ts'
import { type CardPayment, faultOf, isBrokenAnswer, isRefusedByStripe } from '../stripe.ts'
import { livePayment } from './live-payment.ts'
import { sessionRequest } from './session-request.ts'
import { syncSession } from './sync-session.ts'

/** How long Stripe remembers a key, in ms. */
const DAY_MS = 24 * 60 * 60_000

interface Wanted {
  /** Whether it is to be paid on Stripe's own page. */
  hosted?: boolean | undefined
  /** Whether the caller may see all tickets of the order: the payment leads back to its page. */
  isOrder?: boolean
}

type Payable = Pick<RegistrationRow, 'id' | 'eventId' | 'clubId'>

/**
 * The way to pay a registration, whose holder must have been proven, and with it all of its order that is not paid: the same session again
 * while it is open. Holds that ended are renewed while there are places for all of them. Refuses with NOT_FOUND, ALREADY_PAID,
 * TICKET_CANCELLED, SOLD_OUT and why the event is not open; with PAID_TOGETHER whoever may not see the tickets of all who are paid for;
 * with TOO_MANY_HOLDS and EMAIL_LIMIT as for a new registration, with UNAVAILABLE when Stripe does not answer.
 */
export async function createCheckout(
  deps: Deps,
  registration: Payable,
  origin: From,
  { hosted = false, isOrder = false }: Wanted = {},
): Promise<Checkout> {
  const { db, now, stripe } = deps
  if (!stripe) throw new Refusal('PAYMENTS_OFF', { msg: texts.noCardPayment })
  const isEmbedded = stripe.publishableKey !== null && !hosted
  const visitor = visitorOf(deps, { id: registration.eventId, clubId: registration.clubId }, origin)
  // A session that has ended, or is of another kind or for other people, is followed by a new one; more is not to be expected.
  for (let tries = 0; tries < 4; tries++) {
    const terms = { now: now(), isEmbedded, isOrder, visitor }
    const { payment, isCurrent } = await db.transaction().execute((tx) => livePayment(tx, registration, terms))
    if (payment.sessionId === null && visitor)
      await limitTries(deps, byNetwork('new sessions by network', origin.address))
    const way = isCurrent ? await tryOpen(deps, stripe, payment) : await closeAtStripe(deps, stripe, payment)
    if (way) return way
  }
  throw new Refusal('UNAVAILABLE', { msg: texts.paymentNotStarted })
}

/**
 * The way to pay a registration just made, with all of the `order` that it was made with. If Stripe does not answer, or may not be asked
 * so often, the places are held anyway, and can be paid on the page of the order or the ticket.
 */
export async function createFirstCheckout(
  deps: Deps,
  registration: Payable & { qrUuid: string },
  order: Pick<Order, 'id' | 'secret'> | undefined,
  origin: From,
): Promise<Checkout> {
  try {
    return await createCheckout(deps, registration, origin, { isOrder: order !== undefined })
  } catch (error) {
    const isForLater = error instanceof Refusal && (error.status >= 500 || error.code === 'TOO_MANY_TRIES')
    if (!isForLater) throw error
    const { baseUrl } = deps.settings
    return {
      clientSecret: null,
      checkoutUrl: order ? `${orderUrl(baseUrl, order)}?pay=hosted` : payPage(deps, registration),
    }
  }
}

/** The session's way to pay; null when a new session is needed. */
async function tryOpen(deps: Deps, stripe: CardPayment, payment: PaymentRow): Promise<Checkout | null> {
  // Asked again right away, it returns the previous answer: Stripe's rate limit is shared by all clubs.
  const isKnown = payment.status === 'open' && payment.way !== null
  if (isKnown && deps.settings.limits && !(await claimForPolling(deps.db, payment.id, deps.now()))) return payment.way
  const session = await sessionOf(deps, stripe, payment)
  if (session?.status === 'open') return wayOf(deps, session)
  if (session?.status === 'complete' && session.payment_status === 'unpaid')
    throw new Refusal('ALREADY_PAID', {
      msg: texts.paymentUnderWay,
    })
  if (session) await syncSession(deps, payment, session)
  return null
}

/**
 * The payment's session at Stripe, opened if it is not yet. Null when Stripe will not open it or does not know it, which ends the payment,
 * and when the payment has gone on meanwhile.
 */
async function sessionOf(
  deps: Deps,
  stripe: CardPayment,
  payment: PaymentRow,
): Promise<Stripe.Checkout.Session | null> {
  try {
    if (payment.sessionId !== null) return await stripe.client.checkout.sessions.retrieve(payment.sessionId)
    return await openSession(deps, stripe, payment)
  } catch (error) {
    deps.log.warn({ fault: faultOf(error), paymentId: payment.id }, 'checkout not opened')
    const now = deps.now().getTime()
    const isRefused = isRefusedByStripe(error)
    const isBroken = payment.sessionId === null && isBrokenAnswer(error)
    if (isRefused || (isBroken && now > payment.expiresAt.getTime() + DAY_MS)) await endPayment(deps.db, payment.id)
    else if (isBroken) await endUnanswered(deps.db, payment.id, new Date(now + ASK_EVERY_MS))
    if (isRefused) return null
    throw unavailable(error)
  }
}

/** Ends a session so that it can no longer be paid; when it was paid at the last moment, that is what counts. */
export async function closeAtStripe(deps: Deps, stripe: CardPayment, payment: PaymentRow): Promise<null> {
  // Requested, but never answered: its id is needed to end it.
  const isAsked = payment.sessionId === null && payment.request !== null
  if (payment.sessionId === null && !isAsked) await endPayment(deps.db, payment.id)
  const sessionId = payment.sessionId ?? (isAsked ? (await sessionOf(deps, stripe, payment))?.id : undefined)
  if (!sessionId) return null
  const session = await stripe.client.checkout.sessions.expire(sessionId).catch((error: unknown) => {
    // Not open any more, then: paid, or ended before.
    if (isRefusedByStripe(error)) return sessionOf(deps, stripe, { ...payment, sessionId })
    throw unavailable(error)
  })
  if (session) await syncSession(deps, payment, session)
  return null
}

function unavailable(error: unknown): Refusal {
  const refusal = new Refusal('UNAVAILABLE', { msg: texts.paymentNotStarted })
  refusal.cause = error
  return refusal
}

/** Opens the session: the same key with the same parameters opens it once, however often it is requested. */
async function openSession(
  deps: Deps,
  stripe: CardPayment,
  payment: PaymentRow,
): Promise<Stripe.Checkout.Session | null> {
  const { db, now } = deps
  const request = await storeRequest(db, payment.id, payment.request ?? (await sessionRequest(deps, payment)))
  if (request === undefined) return null
  // The parameters are our own, written by `sessionRequest`.
  const params = request as Stripe.Checkout.SessionCreateParams
  const session = await stripe.client.checkout.sessions.create(params, { idempotencyKey: payment.key })
  const askAt = new Date(now().getTime() + ASK_EVERY_MS)
  await storeSession(db, payment.id, { sessionId: session.id, way: wayOf(deps, session), askAt }, now())
  return session
}

function wayOf(deps: Deps, session: Stripe.Checkout.Session): Checkout {
  return { clientSecret: session.client_secret ?? null, checkoutUrl: session.url ?? payPageOf(deps, session) }
}

/** The page of the ticket or the order that an embedded session is for. */
function payPageOf(deps: Deps, { return_url }: Stripe.Checkout.Session): string | null {
  if (!return_url) return null
  const back = new URL(return_url)
  const [id, qrUuid] = [Number(back.searchParams.get('registration_id')), back.searchParams.get('qrUuid')]
  return qrUuid ? payPage(deps, { id, qrUuid }) : `${back.origin}${back.pathname}?pay=hosted`
}

/** The ticket page, which leads an unpaid visitor to Stripe's own page. */
function payPage({ settings }: Deps, { id, qrUuid }: { id: number; qrUuid: string }): string {
  return `${settings.baseUrl}/qr/${id}/${qrUuid}?pay=hosted`
}
