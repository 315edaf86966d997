import { type OrderLine, orderLineName, orderLines, paidOnText } from '../../../contract/receipts.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import type { Ticket } from './ticket.ts'

/** What a registration that is still to be paid costs, line by line. */
export function OrderLines({ ticket: { registration, extras, ticketType } }: { ticket: Ticket }) {
  const { amount, currency } = registration
  return (
    <>
      <Lines
        lines={orderLines(amount, extras, ticketType?.name ?? null)}
        currency={currency}
        total={[texts.total(), amount]}
      />
      <Saved registration={registration} />
    </>
  )
}

/** What a code took off the price, which the amounts no longer have in them. */
function Saved({ registration: { discount, currency } }: Pick<Ticket, 'registration'>) {
  if (discount === 0) return null
  return <p className="muted small">{texts.lessWithCode({ amount: formatPrice(discount, currency) })}</p>
}

/** What was paid and when; null for free registrations and those not paid yet. */
export const paidOf = ({ receipt, payment }: Ticket) => receipt ?? payment

/** The receipt: what was paid, when, and for what. For free registrations, only what a code took off. */
export function ReceiptLines({ ticket }: { ticket: Ticket }) {
  const { receipt, event } = ticket
  const paid = paidOf(ticket)
  if (!paid) return ticket.registration.amount === 0 ? <Saved registration={ticket.registration} /> : null
  const total = [
    paidOnText(
      { paidAt: paid.paidAt, isAtDoor: 'isAtDoor' in paid ? paid.isAtDoor : paid.atDoor === paid.paid },
      event.timeZone,
    ),
    paid.paid,
  ] as const
  return (
    <>
      <Lines lines={receipt?.lines ?? []} currency={paid.currency} total={total} />
      <Saved registration={ticket.registration} />
    </>
  )
}

interface LinesProps {
  lines: readonly OrderLine[]
  currency: string
  total: readonly [label: string, amount: number]
}

/** A single line would only repeat the total. */
function Lines({ lines, currency, total: [label, amount] }: LinesProps) {
  return (
    <ul className="receipt">
      {lines.length > 1 &&
        lines.map((line) => (
          <li key={`${line.name} ${line.amount}`}>
            {orderLineName(line)} <span>{formatPrice(line.amount, currency)}</span>
          </li>
        ))}
      <li>
        <strong>{label}</strong> <strong>{formatPrice(amount, currency)}</strong>
      </li>
    </ul>
  )
}
