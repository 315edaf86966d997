import type { TicketType } from '../../../contract/ticket-type.ts'
import * as texts from '../../../texts/generated/registration.ts'

/** How many of a ticket type an order may have; empty where it says nothing. */
export function perOrderText({ minPerOrder, maxPerOrder }: Pick<TicketType, 'minPerOrder' | 'maxPerOrder'>): string {
  const least = minPerOrder > 1 ? texts.perOrderLeast({ count: minPerOrder }) : ''
  const most = maxPerOrder === null ? '' : texts.perOrderMost({ count: maxPerOrder })
  return [least, most].filter((text) => text !== '').join(' · ')
}
