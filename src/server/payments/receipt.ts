import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { Receipt } from '../../contract/receipts.ts'
import type { PaymentSummary } from '../../contract/registrations.ts'
import { totalOf } from '../../contract/values/money.ts'

/** The receipt of a registration, line by line; null when nothing was paid. */
export function receiptOf(
  amount: number,
  purchases: readonly Pick<ExtrasPurchase, 'extrasId' | 'name' | 'price'>[],
  payment: PaymentSummary | null,
): Receipt | null {
  if (!payment) return null
  const { paid, refunded, paidAt, currency } = payment
  const vouchers = new Map<string, Receipt['lines'][number]>()
  for (const { extrasId, name, price } of purchases) {
    // The same voucher bought under another name or price, as after an edit, is another line.
    const key = JSON.stringify([extrasId, name, price])
    const line = vouchers.get(key) ?? { name, quantity: 0, amount: 0 }
    vouchers.set(key, { name, quantity: line.quantity + 1, amount: line.amount + price })
  }
  const ticket = amount - totalOf(0, purchases)
  const lines = [{ name: 'Ticket', quantity: 1, amount: ticket }, ...vouchers.values()].filter(
    (line) => line.amount > 0,
  )
  // Staff may have made it free since: then no lines add up to what was paid.
  return { lines: ticket < 0 ? [] : lines, paid, refunded, paidAt, currency }
}
