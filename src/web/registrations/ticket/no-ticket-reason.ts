import type { Refusal } from '../../../contract/errors.ts'

/** Why there is no ticket behind a link, in words; null for a link to nothing. */
export function reasonOf({ code, message }: Refusal): string | null {
  return code === 'TICKET_HANDED_ON' ? message : null
}

/** Whether a ticket, voucher or order is not there for whoever has this link. */
export function isNoTicket({ code }: Refusal): boolean {
  return code === 'NOT_FOUND' || code === 'TICKET_HANDED_ON'
}
