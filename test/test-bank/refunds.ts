import { type Books, type Cause, newId, type Payment, type Refund, seconds, type Wire } from './books.ts'
import { Fault, missing } from './fault.ts'
import { allowOnly, type Form, integerOf, metadataOf, textOf, wordOf } from './form.ts'
import { formatAmount } from './money.ts'
import { chargeObject, refundObject } from './objects.ts'

/** Refunds money, never more than is left. */
export function makeRefund(books: Books, form: Form, cause: Cause): Refund {
  allowOnly(form, ['payment_intent', 'charge', 'amount', 'reason', 'metadata'])
  const payment = paymentOf(books, form)
  const left = payment.amount - payment.refunded
  if (payment.disputed)
    throw new Fault(`Charge ${payment.chargeId} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  if (left === 0)
    throw new Fault(`Charge ${payment.chargeId} has already been refunded.`, { code: 'charge_already_refunded' })
  const amount = integerOf(form, 'amount', 1) ?? left
  if (amount > left) {
    const [asked, rest] = [amount, left].map((value) => formatAmount(value, payment.currency))
    throw new Fault(`Refund amount (${asked}) is greater than unrefunded amount on charge (${rest})`, {
      param: 'amount',
    })
  }
  if (!books.hasBalance())
    throw new Fault('Insufficient funds in your Stripe balance to refund this amount.', {
      code: 'balance_insufficient',
    })
  const refund: Refund = {
    id: newId('re_3'),
    createdAt: seconds(books.now()),
    payment,
    amount,
    reason: form.has('reason') ? wordOf(form, 'reason', ['requested_by_customer', 'duplicate', 'fraudulent']) : null,
    metadata: metadataOf(form),
  }
  payment.refunded += amount
  books.refunds.set(refund.id, refund)
  void books.tell('refund.created', refundObject(refund), cause)
  void books.tell('charge.refunded', chargeObject(payment), cause)
  return refund
}

function paymentOf(books: Books, form: Form): Payment {
  const intent = textOf(form, 'payment_intent')
  const charge = textOf(form, 'charge')
  if (intent !== null) return findPayment(books, intent, 'payment_intent')
  if (charge !== null) return findCharge(books, charge, 'charge')
  throw new Fault('One of the following params should be provided for this request: payment_intent or charge.', {
    param: 'payment_intent',
  })
}

/** The payment of a payment intent's id. */
export function findPayment(books: Books, id: string, param = 'intent'): Payment {
  const payment = books.payments.get(id)
  if (!payment) throw missing('payment_intent', id, param)
  return payment
}

/** The payment of a charge's id. */
export function findCharge(books: Books, id: string, param = 'id'): Payment {
  const payment = [...books.payments.values()].find(({ chargeId }) => chargeId === id)
  if (!payment) throw missing('charge', id, param)
  return payment
}

/** A page of refunds, newest first. */
export function listRefunds(books: Books, query: Form): Wire {
  allowOnly(query, ['payment_intent', 'charge', 'limit', 'starting_after'])
  const limit = integerOf(query, 'limit', 1) ?? 10
  const intent = textOf(query, 'payment_intent')
  const charge = textOf(query, 'charge')
  const after = textOf(query, 'starting_after')
  const found = [...books.refunds.values()]
    .reverse()
    .filter(({ payment }) => (intent ?? payment.id) === payment.id && (charge ?? payment.chargeId) === payment.chargeId)
  const start = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1
  if (after !== null && start === 0) throw missing('refund', after, 'starting_after')
  const end = start + Math.min(limit, 100)
  const data = found.slice(start, end).map(refundObject)
  return { object: 'list', data, has_more: end < found.length, url: '/v1/refunds' }
}
