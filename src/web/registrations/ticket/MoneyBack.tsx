import { formatPrice } from '../../../contract/values/money.ts'
import type { Ticket } from './ticket.ts'

/** Whether a registration waits to be paid, or can be reinstated by paying. */
export function canStillPay({ registration, event }: Ticket, now: Date): boolean {
  const isOpen = event.status === 'published' && now < event.endsAt
  return isOpen && (registration.status === 'pending' || registration.cancelReason === 'hold ended')
}

/** How much of a payment is refunded; renders nothing without a refund. */
export function MoneyBack({ ticket: { registration, payment } }: { ticket: Ticket }) {
  if (!payment || payment.refunded === 0) return null
  const isLate = registration.cancelReason === 'hold ended'
  return (
    <p role="status" className="hint">
      {isLate && 'Your payment came after the time for it had ended, and the places were gone by then. '}
      {formatPrice(payment.refunded, payment.currency)} of the {formatPrice(payment.paid, payment.currency)} that you
      paid go back to your card.
    </p>
  )
}
