import type Stripe from 'stripe'
import { Refusal } from '../../contract/errors.ts'
import { refusalToRegister } from '../../contract/event.ts'
import type { Checkout } from '../../contract/payments.ts'
import { totalOf } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/api.ts'
import { type From, type Visitor, visitorOf } from '../access/visitor.ts'
import type { EventRow, PaymentRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { HOLD_MS } from '../places/hold.ts'
import { findTooManyHolds, storeHolds } from '../places/limits-of-holds.ts'
import { holdAgain } from '../places/place-queries.ts'
import { endHolds } from '../places/release-queries.ts'
import { refusalOfGone, reserveAgain } from '../places/reserve-again.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { countLive, findRegistration, hasLiveTwin, lockRegistration } from '../records/registration-queries.ts'
import { findTicketTypes, isSold, readTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { ASK_EVERY_MS } from './hold.ts'
import {
  claimForPolling,
  endPayment,
  endUnanswered,
  findLivePayment,
  insertPayments,
  storeRequest,
  storeSession,
} from './payment-queries.ts'
import { type CardPayment, faultOf, isBrokenAnswer, isRefusedByStripe } from './stripe.ts'
import { syncSession } from './sync-session.ts'

/** How long Stripe remembers a key, in ms. */
const DAY_MS = 24 * 60 * 60_000

type Payable = Pick<RegistrationRow, 'id' | 'eventId' | 'clubId'>

/**
 * The way to pay a registration, whose holder must have been proven: the same session again while it is open. A hold that ended is renewed
 * while there is a place. Refuses with NOT_FOUND, ALREADY_PAID, TICKET_CANCELLED, SOLD_OUT and why the event is not open; with
 * TOO_MANY_HOLDS and EMAIL_LIMIT as for a new registration, with UNAVAILABLE when Stripe does not answer.
 */
export async function createCheckout(
  deps: Deps,
  registration: Payable,
  origin: From,
  { hosted = false }: { hosted?: boolean | undefined } = {},
): Promise<Checkout> {
  const { db, now, stripe } = deps
  if (!stripe) throw new Refusal('PAYMENTS_OFF', { msg: texts.noCardPayment })
  const isEmbedded = stripe.publishableKey !== null && !hosted
  const visitor = visitorOf(deps, { id: registration.eventId, clubId: registration.clubId }, origin)
  // A session that has ended, or is of the other kind, is followed by a new one; more than that is not to be expected.
  for (let tries = 0; tries < 4; tries++) {
    const payment = await db.transaction().execute((tx) => livePayment(tx, now(), registration, isEmbedded, visitor))
    if (payment.sessionId === null && visitor)
      await limitTries(deps, byNetwork('new sessions by network', origin.address))
    const way = await tryOpen(deps, stripe, payment, isEmbedded)
    if (way) return way
  }
  throw new Refusal('UNAVAILABLE', { msg: texts.paymentNotStarted })
}

/**
 * The way to pay a registration just made. If Stripe does not answer, or may not be asked so often, the place is held anyway, and can be
 * paid on the ticket page.
 */
export async function createFirstCheckout(
  deps: Deps,
  registration: Payable & { qrUuid: string },
  origin: From,
): Promise<Checkout> {
  try {
    return await createCheckout(deps, registration, origin)
  } catch (error) {
    const isForLater = error instanceof Refusal && (error.status >= 500 || error.code === 'TOO_MANY_TRIES')
    if (!isForLater) throw error
    return { clientSecret: null, checkoutUrl: payPage(deps, registration) }
  }
}

/** The live payment of a pending registration, created if there is none. */
async function livePayment(
  tx: Tx,
  now: Date,
  { id, eventId }: Pick<RegistrationRow, 'id' | 'eventId'>,
  isEmbedded: boolean,
  visitor: Visitor | null,
): Promise<PaymentRow> {
  const event = await lockEvent(tx, eventId)
  if (!event) throw new Refusal('NOT_FOUND')
  await endHolds(tx, [eventId], now)
  const registration = await lockRegistration(tx, id)
  if (!registration) throw new Refusal('NOT_FOUND')
  if (registration.amount === 0) throw new Refusal('ALREADY_PAID', { msg: texts.nothingToPay })
  if (registration.status === 'confirmed') throw new Refusal('ALREADY_PAID')
  if (event.status === 'cancelled') throw new Refusal('EVENT_CANCELLED')
  if (now >= event.endsAt) throw new Refusal('EVENT_OVER')
  const pending =
    registration.status === 'pending' ? registration : await holdOnceMore(tx, now, event, registration, visitor)
  const live = await findLivePayment(tx, id)
  if (live) return live
  await insertPayments(tx, [pending], isEmbedded, now)
  const made = await findLivePayment(tx, id)
  if (!made) throw new Error('A payment just made is not there.')
  return made
}

async function holdOnceMore(
  tx: Tx,
  now: Date,
  event: EventRow,
  registration: RegistrationRow,
  visitor: Visitor | null,
): Promise<RegistrationRow> {
  if (registration.cancelReason !== 'hold ended') throw new Refusal('TICKET_CANCELLED')
  const closed = refusalToRegister(event, now)
  if (closed) throw new Refusal(closed)
  // Not for what was paid in time: that is settled whatever the sale says.
  if (!isSold(await findTicketTypes(tx, event.id), registration, now)) throw new Refusal('REGISTRATION_CLOSED')
  if (await hasLiveTwin(tx, registration)) throw new Refusal('ALREADY_REGISTERED')
  const { id, email } = registration
  if (visitor && (await countLive(tx, event.id, email)) >= event.maxPerEmail) throw new Refusal('EMAIL_LIMIT')
  const holding = { email, address: visitor?.address ?? null, holdExpiresAt: new Date(now.getTime() + HOLD_MS) }
  const tooMany = (await findTooManyHolds(tx, [holding], now)).get(holding)
  if (tooMany) throw tooMany
  const gone = await reserveAgain(tx, registration)
  if (gone) throw await refusalOfGone(tx, registration, gone)
  const row = await holdAgain(tx, id, holding.holdExpiresAt)
  await storeHolds(tx, [{ row, address: holding.address }])
  return row
}

/** The session's way to pay; null when a new session is needed. */
async function tryOpen(
  deps: Deps,
  stripe: CardPayment,
  payment: PaymentRow,
  isEmbedded: boolean,
): Promise<Checkout | null> {
  if (payment.isEmbedded !== isEmbedded) {
    await closeAtStripe(deps, stripe, payment)
    return null
  }
  // Asked again right away, it returns the previous answer: Stripe's rate limit is shared by all clubs.
  const isKnown = payment.status === 'open' && payment.way !== null
  if (isKnown && deps.settings.limits && !(await claimForPolling(deps.db, payment.id, deps.now()))) return payment.way
  const session = await sessionOf(deps, stripe, payment)
  if (session?.status === 'open') return wayOf(deps, payment, session)
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
export async function closeAtStripe(deps: Deps, stripe: CardPayment, payment: PaymentRow): Promise<void> {
  // Requested, but never answered: its id is needed to end it.
  const isAsked = payment.sessionId === null && payment.request !== null
  if (payment.sessionId === null && !isAsked) return endPayment(deps.db, payment.id)
  const sessionId = payment.sessionId ?? (await sessionOf(deps, stripe, payment))?.id
  if (!sessionId) return
  const session = await stripe.client.checkout.sessions.expire(sessionId).catch((error: unknown) => {
    // Not open any more, then: paid, or ended before.
    if (isRefusedByStripe(error)) return sessionOf(deps, stripe, { ...payment, sessionId })
    throw unavailable(error)
  })
  if (session) await syncSession(deps, payment, session)
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
  await storeSession(db, payment.id, { sessionId: session.id, way: wayOf(deps, payment, session), askAt }, now())
  return session
}

/** The session's parameters: the items to pay, with the prices of our rows, and where the visitor comes back to. */
async function sessionRequest(
  { db, settings }: Deps,
  payment: PaymentRow,
): Promise<Stripe.Checkout.SessionCreateParams> {
  const registration = payment.registrationId === null ? undefined : await findRegistration(db, payment.registrationId)
  const event = registration && (await findEvent(db, registration.eventId))
  if (!registration || !event) throw new Refusal('NOT_FOUND')
  const purchases = await findPurchases(db, [registration.id])
  const type = typeOf((await readTicketTypes(db, event.id)) ?? [], registration)
  const name = type ? `${event.name} · ${type.name}` : event.name
  const items = grouped([{ name, price: payment.amount - totalOf(0, purchases) }, ...purchases])
  const { clubId, eventId, id, qrUuid, email } = registration
  const back = `${settings.baseUrl}/club/${clubId}/event/${eventId}/success?registration_id=${id}&qrUuid=${qrUuid}`
  const paid = `${back}&session_id={CHECKOUT_SESSION_ID}`
  return {
    mode: 'payment',
    ...(payment.isEmbedded
      ? { ui_mode: 'embedded_page', return_url: paid }
      : { ui_mode: 'hosted_page', success_url: paid, cancel_url: back }),
    // Cards only: they are charged at once, or not at all.
    allowed_payment_method_types: ['card'],
    line_items: items.map(({ name, price, quantity }) => ({
      quantity,
      price_data: { currency: payment.currency, unit_amount: price, product_data: { name } },
    })),
    expires_at: Math.floor(payment.expiresAt.getTime() / 1000),
    client_reference_id: String(id),
    metadata: { payment: payment.key },
    // Filled in for the visitor where Stripe surely takes it.
    ...(/^[\w.+-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(email) && { customer_email: email }),
  }
}

/** Groups equal items of the same price into one line: Stripe takes a hundred lines at the most. */
function grouped(items: readonly { name: string; price: number }[]) {
  const lines: { name: string; price: number; quantity: number }[] = []
  for (const { name, price } of items.filter((item) => item.price > 0)) {
    const same = lines.find((line) => line.name === name && line.price === price)
    if (same) same.quantity++
    else lines.push({ name, price, quantity: 1 })
  }
  return lines
}

function wayOf(deps: Deps, { registrationId }: PaymentRow, session: Stripe.Checkout.Session): Checkout {
  const clientSecret = session.client_secret ?? null
  const qrUuid = new URL(session.return_url ?? deps.settings.baseUrl).searchParams.get('qrUuid')
  const checkoutUrl =
    session.url ?? (registrationId !== null && qrUuid ? payPage(deps, { id: registrationId, qrUuid }) : null)
  return { clientSecret, checkoutUrl }
}

/** The ticket page, which leads an unpaid visitor to Stripe's own page. */
function payPage({ settings }: Deps, { id, qrUuid }: { id: number; qrUuid: string }): string {
  return `${settings.baseUrl}/qr/${id}/${qrUuid}?pay=hosted`
}
