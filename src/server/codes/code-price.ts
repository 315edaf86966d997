import { roundAmount } from '../../contract/values/money.ts'
import type { CodeRow, TicketTypeRow } from '../db/schema.ts'

type Applied = Pick<CodeRow, 'kind' | 'value' | 'ticketTypeIds'>

/** Whether a code is for this ticket type. */
export function isFor({ ticketTypeIds }: Pick<CodeRow, 'ticketTypeIds'>, { id }: Pick<TicketTypeRow, 'id'>): boolean {
  return ticketTypeIds.length === 0 || ticketTypeIds.includes(id)
}

/** Whether a ticket type can be bought by whoever has this code, or none. */
export function isOpenWith(code: Pick<CodeRow, 'ticketTypeIds'> | null, type: Pick<TicketTypeRow, 'id' | 'access'>) {
  return type.access !== 'code' || (code !== null && isFor(code, type))
}

/** What a ticket of this type costs with this code, in the minor unit. A code never makes it dearer. */
export function priceWith(code: Applied | null, type: Pick<TicketTypeRow, 'id' | 'price'>, currency: string): number {
  const { price } = type
  if (!code || !isFor(code, type)) return price
  const { kind, value } = code
  if (kind === 'price') return Math.min(price, value)
  const lower = kind === 'percent' ? roundAmount((price * (100 - value)) / 100, currency) : price - value
  return Math.min(price, Math.max(0, lower))
}

/** Whether a code does something for a ticket of this type: makes it cheaper, or opens it. Only then is it used. */
export function isOfUse(
  code: Applied,
  type: Pick<TicketTypeRow, 'id' | 'price' | 'access'>,
  currency: string,
): boolean {
  return isFor(code, type) && (type.access === 'code' || priceWith(code, type, currency) < type.price)
}
