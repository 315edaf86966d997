import type * as z from 'zod/mini'
import type { Payload } from '../../../contract/endpoint.ts'
import type { formerTicket, ticketApi } from '../../../contract/tickets.ts'

export type Ticket = Payload<typeof ticketApi.getRegistration>
/** Of which event a ticket was that somebody else has now. */
export type FormerTicket = z.output<typeof formerTicket>

/** Whether somebody has been let in with it. */
export const isUsed = ({ checkin }: Ticket) => Boolean(checkin?.status && checkin.checkinTime)

/** What the query of a ticket's address says: whether it is a voucher's, and whether it leads on to the bank's page. */
export function readTicketSearch(search: URLSearchParams): { isVoucher: boolean; goesToBank: boolean } {
  return { isVoucher: search.get('type') === 'voucher', goesToBank: search.get('pay') === 'hosted' }
}
