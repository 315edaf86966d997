import { Fragment } from 'react'
import type { TicketOfOrder } from '../../contract/orders.ts'
import { orderLineName, paidOnText } from '../../contract/receipts.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/order.ts'
import * as ticketTexts from '../../texts/generated/ticket.ts'

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
  const back = sumOf(payments.map(({ refunded }) => refunded))
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

/** Whether the payment came after the time for it, when the places were gone. */
export function isLate(tickets: readonly TicketOfOrder[]): boolean {
  return tickets.some(({ registration, payment }) => registration.cancelReason === 'hold ended' && payment !== null)
}

/** How much of the payment goes back to the card; nothing where nothing does. */
export function MoneyBackOfOrder({ tickets, currency }: Props) {
  const payments = tickets.flatMap(({ payment }) => payment ?? [])
  const [paid, refunded] = [sumOf(payments.map((each) => each.paid)), sumOf(payments.map((each) => each.refunded))]
  if (refunded === 0) return null
  const amounts = { refunded: formatPrice(refunded, currency), paid: formatPrice(paid, currency) }
  return (
    <p role="status" className="hint">
      {isLate(tickets) ? ticketTexts.lateMoneyBack(amounts) : ticketTexts.moneyBack(amounts)}
    </p>
  )
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

interface LinesProps {
  lines: readonly { ticket: TicketOfOrder; amount: number }[]
  currency: string
  total: string
  back?: number
}

function Lines({ lines, currency, total, back = 0 }: LinesProps) {
  const discount = sumOf(lines.map(({ ticket }) => ticket.registration.discount))
  return (
    <ul className="receipt">
      {lines.map(({ ticket: { registration, ticketType, lines: parts }, amount }) => {
        const { name } = registration.registrationData
        const vouchers = parts.filter(({ kind }) => kind === 'voucher')
        return (
          <Fragment key={registration.id}>
            <li>
              {ticketType ? `${name} · ${ticketType.name}` : name}{' '}
              <span>{formatPrice(amount - sumOf(vouchers.map((line) => line.amount)), currency)}</span>
            </li>
            {vouchers.map((line) => (
              <li key={`${line.name} ${line.amount}`} className="part">
                {orderLineName(line)} <span>{formatPrice(line.amount, currency)}</span>
              </li>
            ))}
          </Fragment>
        )
      })}
      <li>
        <strong>{total}</strong> <strong>{formatPrice(sumOf(lines.map(({ amount }) => amount)), currency)}</strong>
      </li>
      {back > 0 && (
        <li>
          {texts.givenBack()} <span>{formatPrice(back, currency)}</span>
        </li>
      )}
      {discount > 0 && (
        <li className="muted small">{ticketTexts.lessWithCode({ amount: formatPrice(discount, currency) })}</li>
      )}
    </ul>
  )
}
