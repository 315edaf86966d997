import { type Books, type Cause, newId, type Session, seconds } from './books.ts'
import { Fault, missing } from './fault.ts'
import { disputeObject, sessionObject } from './objects.ts'

/** Finds a session, and expires it first if its time is over. */
export function findSession(books: Books, id: string): Session {
  const session = books.sessions.get(id)
  if (!session) throw missing('checkout.session', id, 'session')
  if (isOverdue(books, session)) void expireSession(books, session)
  return session
}

function isOverdue(books: Books, session: Session): boolean {
  return session.status === 'open' && seconds(books.now()) >= session.expiresAt
}

/** Closes an open session. */
export function expireSession(books: Books, session: Session, cause?: Cause): Promise<void> {
  if (session.status !== 'open')
    throw new Fault(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    )
  session.status = 'expired'
  return books.tell('checkout.session.expired', sessionObject(session, books.url), cause)
}

/** Takes the payment. It is synchronous until the session is complete, so two simultaneous calls charge once. */
export function paySession(books: Books, session: Session): Promise<void> {
  mustBeOpen(session)
  const payment = {
    id: newId('pi_3'),
    chargeId: newId('ch_3'),
    sessionId: session.id,
    createdAt: seconds(books.now()),
    amount: session.amountTotal,
    refunded: 0,
    disputed: false,
    currency: session.currency,
    metadata: session.paymentMetadata,
  }
  books.payments.set(payment.id, payment)
  session.status = 'complete'
  session.payment = payment
  return books.tell('checkout.session.completed', sessionObject(session, books.url))
}

/** Throws when nothing can be paid here any more. */
export function mustBeOpen(session: Session): void {
  if (session.status !== 'open') throw new Error(`The session ${session.id} is ${session.status}, not open.`)
}

/** Opens a dispute: the cardholder wants the money back from the bank. */
export function disputeSession(books: Books, session: Session): Promise<void> {
  const { payment } = session
  if (!payment) throw new Error(`The session ${session.id} has no charge to dispute.`)
  if (payment.disputed) throw new Error(`The charge ${payment.chargeId} is already disputed.`)
  payment.disputed = true
  return books.tell('charge.dispute.created', disputeObject(newId('dp_1'), payment, seconds(books.now())))
}
