import type { Refusal } from '../../../contract/errors.ts'

/** Whether a ticket, voucher or order is not there for whoever has this link. */
export function isNoTicket({ code }: Refusal): boolean {
  return code === 'NOT_FOUND' || code === 'TICKET_HANDED_ON'
}
