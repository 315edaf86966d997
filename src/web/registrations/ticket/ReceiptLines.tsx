import type { Receipt } from '../../../contract/receipts.ts'
import { formatDate } from '../../../contract/values/dates.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import type { Ticket } from './ticket.ts'

/** The receipt: what was paid, when, and for what. Renders nothing for free registrations. */
export function ReceiptLines({ ticket: { receipt, payment, event } }: { ticket: Ticket }) {
  const paid: Omit<Receipt, 'lines'> | null = receipt ?? payment
  if (!paid) return null
  const lines = receipt?.lines ?? []
  return (
    <ul className="receipt">
      {lines.length > 1 &&
        lines.map(({ name, quantity, amount }) => (
          <li key={name}>
            {quantity === 1 ? name : `${quantity} × ${name}`} <span>{formatPrice(amount, paid.currency)}</span>
          </li>
        ))}
      <li>
        <strong>Paid on {formatDate(paid.paidAt, event.timeZone)}</strong>{' '}
        <strong>{formatPrice(paid.paid, paid.currency)}</strong>
      </li>
    </ul>
  )
}
