import type { Payment, Refund, Session, Wire } from './books.ts'

/** `checkout.session` */
export function sessionObject(session: Session, bankUrl: string): Wire {
  const { payment } = session
  return {
    id: session.id,
    object: 'checkout.session',
    amount_subtotal: session.amountTotal,
    amount_total: session.amountTotal,
    cancel_url: session.cancelUrl,
    client_reference_id: session.clientReferenceId,
    client_secret: session.clientSecret,
    created: session.createdAt,
    currency: session.currency,
    customer: null,
    customer_details: payment
      ? { email: session.customerEmail ?? 'visitor@example.org', name: 'Test Visitor', phone: null, address: null }
      : null,
    customer_email: session.customerEmail,
    expires_at: session.expiresAt,
    livemode: false,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent: payment?.id ?? null,
    payment_status: payment ? 'paid' : 'unpaid',
    // Stripe leaves out the keys of the other mode.
    ...(session.returnUrl !== null && { return_url: session.returnUrl }),
    status: session.status,
    success_url: session.successUrl,
    ui_mode: session.uiMode,
    url: urlOf(session, bankUrl),
  }
}

/** The address where a visitor pays; only an open hosted session has one. */
export function urlOf(session: Session, bankUrl: string): string | null {
  return session.uiMode === 'hosted_page' && session.status === 'open' ? `${bankUrl}/pay/${session.id}` : null
}

/** `payment_intent` */
export function paymentIntentObject(payment: Payment): Wire {
  return {
    id: payment.id,
    object: 'payment_intent',
    amount: payment.amount,
    amount_capturable: 0,
    amount_received: payment.amount,
    canceled_at: null,
    capture_method: 'automatic',
    created: payment.createdAt,
    currency: payment.currency,
    customer: null,
    last_payment_error: null,
    latest_charge: payment.chargeId,
    livemode: false,
    metadata: payment.metadata,
    payment_method_types: ['card'],
    status: 'succeeded',
  }
}

/** `charge` */
export function chargeObject(payment: Payment): Wire {
  return {
    id: payment.chargeId,
    object: 'charge',
    amount: payment.amount,
    amount_captured: payment.amount,
    amount_refunded: payment.refunded,
    captured: true,
    created: payment.createdAt,
    currency: payment.currency,
    disputed: payment.disputed,
    livemode: false,
    metadata: payment.metadata,
    paid: true,
    payment_intent: payment.id,
    // True only when nothing is left.
    refunded: payment.refunded === payment.amount,
    status: 'succeeded',
  }
}

/** `refund` */
export function refundObject(refund: Refund): Wire {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    charge: refund.payment.chargeId,
    created: refund.createdAt,
    currency: refund.payment.currency,
    metadata: refund.metadata,
    payment_intent: refund.payment.id,
    reason: refund.reason,
    status: 'succeeded',
  }
}

/** `dispute` */
export function disputeObject(id: string, payment: Payment, createdAt: number): Wire {
  return {
    id,
    object: 'dispute',
    amount: payment.amount,
    charge: payment.chargeId,
    created: createdAt,
    currency: payment.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: payment.id,
    reason: 'fraudulent',
    status: 'needs_response',
  }
}
