import type { TicketOfOrder } from '../../contract/orders.ts'
import { paidOnText } from '../../contract/receipts.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/order.ts'

interface Props {
  tickets: readonly TicketOfOrder[]
  currency: string
}

/** What several people who are paid together cost. */
export function ToPay({ tickets, currency }: Props) {
  const lines = tickets.map((ticket) => ({ ticket, amount: ticket.registration.amount }))
  return <Lines lines={lines} currency={currency} total={texts.total()} />
}

/** What was paid for the tickets of an order, and what of it is given back; nothing where nothing was paid. */
export function OrderReceipt({ tickets, currency, timeZone }: Props & { timeZone: string }) {
  const paid = tickets.flatMap((ticket) => (ticket.payment ? [{ ticket, amount: ticket.payment.paid }] : []))
  const payments = tickets.flatMap(({ payment }) => payment ?? [])
  const [last] = payments.sort((a, b) => b.paidAt.getTime() - a.paidAt.getTime())
  if (!last) return null
  const isAtDoor = payments.every((payment) => payment.atDoor === payment.paid)
  const back = payments.reduce((sum, { refunded }) => sum + refunded, 0)
  return (
    <section className="card" aria-labelledby="receipt">
      <h2 id="receipt">{texts.receipt()}</h2>
      <Lines
        lines={paid}
        currency={currency}
        total={paidOnText({ paidAt: last.paidAt, isAtDoor }, timeZone)}
        back={back}
      />
    </section>
  )
}

interface LinesProps {
  lines: readonly { ticket: TicketOfOrder; amount: number }[]
  currency: string
  total: string
  back?: number
}

function Lines({ lines, currency, total, back = 0 }: LinesProps) {
  return (
    <ul className="receipt">
      {lines.map(({ ticket: { registration, ticketType }, amount }) => (
        <li key={registration.id}>
          {ticketType
            ? `${registration.registrationData.name} · ${ticketType.name}`
            : registration.registrationData.name}{' '}
          <span>{formatPrice(amount, currency)}</span>
        </li>
      ))}
      <li>
        <strong>{total}</strong>{' '}
        <strong>
          {formatPrice(
            lines.reduce((sum, { amount }) => sum + amount, 0),
            currency,
          )}
        </strong>
      </li>
      {back > 0 && (
        <li>
          {texts.givenBack()} <span>{formatPrice(back, currency)}</span>
        </li>
      )}
    </ul>
  )
}
