import { type Receipt, receiptLineText } from '../../../contract/receipts.ts'
import { formatDate } from '../../../contract/values/dates.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import type { Ticket } from './ticket.ts'

/** The receipt: what was paid, when, and for what. Renders nothing for free registrations. */
export function ReceiptLines({ ticket: { receipt, payment, event } }: { ticket: Ticket }) {
  const paid: Omit<Receipt, 'lines'> | null = receipt ?? payment
  if (!paid) return null
  const lines = receipt?.lines ?? []
  return (
    <>
      <p>
        Paid {formatPrice(paid.paid, paid.currency)} on {formatDate(paid.paidAt, event.timeZone)}
      </p>
      {lines.length > 1 && (
        <ul className="facts small">
          {lines.map((line) => (
            <li key={line.name}>{receiptLineText(line, paid.currency)}</li>
          ))}
        </ul>
      )}
    </>
  )
}
