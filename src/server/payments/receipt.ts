import type { ExtrasPurchase } from '../../contract/extras.ts'
import { orderLines, type Receipt } from '../../contract/receipts.ts'
import type { PaymentSummary } from '../../contract/registrations.ts'

/** The receipt of a registration, line by line; null when nothing was paid. */
export function receiptOf(
  amount: number,
  purchases: readonly Pick<ExtrasPurchase, 'extrasId' | 'name' | 'price'>[],
  payment: PaymentSummary | null,
  typeName: string | null,
): Receipt | null {
  if (!payment) return null
  const { paid, refunded, paidAt, currency, atDoor } = payment
  return { lines: orderLines(amount, purchases, typeName), paid, refunded, paidAt, currency, isAtDoor: atDoor === paid }
}
