import * as z from 'zod/mini'
import { formatDate } from './values/dates.ts'
import { moment } from './values/fields.ts'
import { formatPrice } from './values/money.ts'

/** The payment for a registration, line by line. All amounts are in the minor unit. */
export const receipt = z.object({
  /** The ticket first, then each kind of voucher; what was free is left out. `amount` is that of the whole line. */
  lines: z.array(z.object({ name: z.string(), quantity: z.int(), amount: z.int() })),
  paid: z.int(),
  /** Given back, or about to be. */
  refunded: z.int(),
  paidAt: moment,
  currency: z.string(),
})
export type Receipt = z.output<typeof receipt>

/** `Paid £64.00 on 20/11/2026`, and how much of it is given back. */
export function paidText({ paid, refunded, paidAt, currency }: Receipt, timeZone: string): string {
  const back = refunded === 0 ? '' : `, ${formatPrice(refunded, currency)} given back`
  return `Paid ${formatPrice(paid, currency)} on ${formatDate(paidAt, timeZone)}${back}`
}

/** A line in words: `2 × Drinks £24.00`. */
export function receiptLineText({ name, quantity, amount }: Receipt['lines'][number], currency: string): string {
  return `${quantity === 1 ? '' : `${quantity} × `}${name} ${formatPrice(amount, currency)}`
}

/** The amount paid and, if there are several, the items: a line of text each, for the mail and the PDF. */
export function receiptTexts(receipt: Receipt, timeZone: string): string[] {
  const { lines, currency } = receipt
  const what = lines.map((line) => receiptLineText(line, currency)).join(' · ')
  return [paidText(receipt, timeZone), ...(lines.length > 1 ? [what] : [])]
}
