import type { Extras } from '../../contract/extras.ts'
import { formatAmount } from '../../contract/values/money.ts'
import { vouchersSold } from '../statistics/figures.ts'

type Sold = Pick<
  Extras,
  'price' | 'currency' | 'soldCount' | 'maxQuantity' | 'unpaidCount' | 'redeemedCount' | 'soldAmount'
>

/** `2 paid (£24.00) · 1 waiting for payment · 47 left`: the parts of the line that says how many of a voucher are sold, and what became of them. */
export function soldParts(voucher: Sold): string[] {
  const { price, currency, soldCount, maxQuantity, unpaidCount = 0, redeemedCount = 0, soldAmount = 0 } = voucher
  const count = (of: number) => of.toLocaleString('en-GB')
  const sold = `${count(vouchersSold(voucher))} ${price > 0 ? 'paid' : 'taken'}`
  const left = maxQuantity === null ? null : Math.max(0, maxQuantity - soldCount)
  return [
    soldAmount > 0 ? `${sold} (${formatAmount(soldAmount, currency)})` : sold,
    ...(unpaidCount > 0 ? [`${count(unpaidCount)} waiting for payment`] : []),
    ...(redeemedCount > 0 ? [`${count(redeemedCount)} used up`] : []),
    ...(left === null ? [] : [left === 0 ? 'none left' : `${count(left)} left`]),
  ]
}
