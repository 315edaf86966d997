import type { Extras } from '../../contract/extras.ts'
import { formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/vouchersPage.ts'
import { vouchersSold } from '../statistics/figures.ts'

type Sold = Pick<
  Extras,
  'price' | 'currency' | 'soldCount' | 'maxQuantity' | 'unpaidCount' | 'redeemedCount' | 'soldAmount'
>

/** `2 paid (£24.00) · 1 waiting for payment · 47 left`: the parts of the line that says how many of a voucher are sold, and what became of them. */
export function soldParts(voucher: Sold): string[] {
  const { price, currency, soldCount, maxQuantity, unpaidCount = 0, redeemedCount = 0, soldAmount = 0 } = voucher
  const sold = { count: vouchersSold(voucher), amount: formatAmount(soldAmount, currency) }
  const [plain, withAmount] = price > 0 ? [texts.paid, texts.paidFor] : [texts.taken, texts.takenFor]
  const left = maxQuantity === null ? null : Math.max(0, maxQuantity - soldCount)
  return [
    soldAmount > 0 ? withAmount(sold) : plain(sold),
    ...(unpaidCount > 0 ? [texts.waiting({ count: unpaidCount })] : []),
    ...(redeemedCount > 0 ? [texts.usedUp({ count: redeemedCount })] : []),
    ...(left === null ? [] : [texts.left({ count: left })]),
  ]
}
