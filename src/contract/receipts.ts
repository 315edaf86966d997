import * as z from 'zod/mini'
import * as texts from '../texts/generated/receipts.ts'
import type { ExtrasPurchase } from './extras.ts'
import { isUnnamed, TICKET } from './own-words.ts'
import { formatDate } from './values/dates.ts'
import { moment } from './values/fields.ts'
import { formatPrice, totalOf } from './values/money.ts'

/**
 * A line of an order; `amount` is that of the whole line, in the minor unit. A ticket's line has the name of its type, or `Ticket` where the event
 * has one kind of tickets only; a type with that very name is shown in the language of the reader, too.
 */
export const orderLine = z.object({
  kind: z._default(z.enum(['ticket', 'voucher']), 'voucher'),
  name: z.string(),
  quantity: z.int(),
  amount: z.int(),
})
export type OrderLine = z.output<typeof orderLine>

/** The payment for a registration, line by line. All amounts are in the minor unit. */
export const receipt = z.object({
  /** The ticket first, then each kind of voucher; what was free is left out. */
  lines: z.array(orderLine),
  paid: z.int(),
  /** Given back, or about to be. */
  refunded: z.int(),
  paidAt: moment,
  currency: z.string(),
  /** Whether all of it was paid at the door. */
  isAtDoor: z._default(z.boolean(), false),
})
export type Receipt = z.output<typeof receipt>

/** What a registration of `amount` costs, line by line, as on its receipt; empty if no lines add up to the amount. `typeName`: null for the only type. */
export function orderLines(
  amount: number,
  purchases: readonly Pick<ExtrasPurchase, 'extrasId' | 'name' | 'price'>[],
  typeName: string | null,
): OrderLine[] {
  const vouchers = new Map<string, OrderLine>()
  for (const { extrasId, name, price } of purchases) {
    // The same voucher bought under another name or price, as after an edit, is another line.
    const key = JSON.stringify([extrasId, name, price])
    const line = vouchers.get(key) ?? { kind: 'voucher', name, quantity: 0, amount: 0 }
    vouchers.set(key, { ...line, quantity: line.quantity + 1, amount: line.amount + price })
  }
  const ticket = amount - totalOf(0, purchases)
  // Staff may have made it free since.
  if (ticket < 0) return []
  const first: OrderLine = { kind: 'ticket', name: typeName ?? TICKET, quantity: 1, amount: ticket }
  return [first, ...vouchers.values()].filter((line) => line.amount > 0)
}

/** `Paid £64.00 on 20/11/2026`, and how much of it is given back. */
export function paidText({ paid, refunded, paidAt, currency, isAtDoor }: Receipt, timeZone: string): string {
  const amounts = { amount: formatPrice(paid, currency), date: formatDate(paidAt, timeZone) }
  if (isAtDoor && refunded === 0) return texts.paidAtDoorOn(amounts)
  return refunded === 0
    ? texts.paidOn(amounts)
    : texts.paidOnGivenBack({ ...amounts, back: formatPrice(refunded, currency) })
}

/** `Paid on 20/11/2026`, or that it was paid at the door. */
export function paidOnText({ paidAt, isAtDoor }: Pick<Receipt, 'paidAt' | 'isAtDoor'>, timeZone: string): string {
  const date = formatDate(paidAt, timeZone)
  return isAtDoor ? texts.paidAtDoorOnDate({ date }) : texts.paidOnDate({ date })
}

/** The payment as a table: what was paid for, what was given back, and the sum that was paid. */
export function receiptTable(receipt: Receipt, timeZone: string): ReceiptTable {
  const { lines, paid, refunded, currency } = receipt
  const back: Cells[] = refunded === 0 ? [] : [[texts.givenBack(), formatPrice(refunded, currency)]]
  return {
    rows: [...lines.map((line): Cells => [orderLineName(line), formatPrice(line.amount, currency)]), ...back],
    total: [paidOnText(receipt, timeZone), formatPrice(paid, currency)],
  }
}

type Cells = [label: string, amount: string]
export interface ReceiptTable {
  rows: Cells[]
  total: Cells
}

/** What a line is about: `2 × Drinks`. */
export function orderLineName({ kind, name, quantity }: Pick<OrderLine, 'kind' | 'name' | 'quantity'>): string {
  return linePartName({ name: isUnnamed({ kind, name }) ? texts.ticket() : name, quantity })
}

/**
 * The receipts of an order's tickets as one, with the number of equal lines. Null for a single receipt, and where they were paid on
 * several days, in several currencies, or partly at the door.
 */
export function joinedReceipt(receipts: readonly (Receipt | null)[], timeZone: string): Receipt | null {
  const [first, ...others] = receipts.filter((each) => each !== null)
  if (!first || others.length === 0) return null
  const howOf = (each: Receipt) => JSON.stringify([each.currency, each.isAtDoor, formatDate(each.paidAt, timeZone)])
  if (others.some((each) => howOf(each) !== howOf(first))) return null
  const all = [first, ...others]
  const lines = new Map<string, OrderLine>()
  for (const line of all.flatMap((each) => each.lines)) {
    const key = JSON.stringify([line.kind, line.name, line.amount / line.quantity])
    const before = lines.get(key) ?? { ...line, quantity: 0, amount: 0 }
    const [quantity, amount] = [before.quantity + line.quantity, before.amount + line.amount]
    lines.set(key, { ...before, quantity, amount })
  }
  const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0)
  return {
    ...first,
    lines: [...lines.values()],
    paid: sum(all.map(({ paid }) => paid)),
    refunded: sum(all.map(({ refunded }) => refunded)),
  }
}

/** `2 × Drinks`; of one, the name alone. */
export const linePartName = ({ name, quantity }: Pick<OrderLine, 'name' | 'quantity'>): string =>
  quantity === 1 ? name : `${quantity} × ${name}`

/** A line in words: `2 × Drinks £24.00`. */
export function receiptLineText(line: OrderLine, currency: string): string {
  return `${orderLineName(line)} ${formatPrice(line.amount, currency)}`
}

/** The amount paid and, if there are several, the items: a line of text each, for mails as text. */
export function receiptTexts(receipt: Receipt, timeZone: string): string[] {
  const { lines, currency } = receipt
  const what = lines.map((line) => receiptLineText(line, currency)).join(' · ')
  return [paidText(receipt, timeZone), ...(lines.length > 1 ? [what] : [])]
}
