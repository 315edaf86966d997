import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import type { Ticket } from './ticket.ts'

/** Whether a registration waits to be paid, or can be reinstated by paying. */
export function canStillPay({ registration, event }: Pick<Ticket, 'registration' | 'event'>, now: Date): boolean {
  const isOpen = event.status === 'published' && now < event.endsAt
  return isOpen && (registration.status === 'pending' || registration.cancelReason === 'hold ended')
}

/** How much of a payment is refunded; renders nothing without a refund. */
export function MoneyBack({ ticket: { registration, payment } }: { ticket: Ticket }) {
  if (!payment || payment.refunded === 0) return null
  const { refunded, paid, currency } = payment
  const amounts = { refunded: formatPrice(refunded, currency), paid: formatPrice(paid, currency) }
  const isLate = registration.cancelReason === 'hold ended'
  return (
    <p role="status" className="hint">
      {isLate ? texts.lateMoneyBack(amounts) : texts.moneyBack(amounts)}
    </p>
  )
}
