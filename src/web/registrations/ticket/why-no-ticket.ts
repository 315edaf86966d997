import type { Refusal } from '../../../contract/errors.ts'
import { formerTicket } from '../../../contract/tickets.ts'
import type { FormerTicket } from './ticket.ts'

interface NoTicket {
  /** In words; null for a link to nothing. */
  reason: string | null
  /** Of which event it was, where somebody else has it now. */
  former: FormerTicket | null
}

/** Why there is no ticket behind a link. */
export function whyNoTicket({ code, message, payload }: Refusal): NoTicket {
  if (code !== 'TICKET_HANDED_ON') return { reason: null, former: null }
  return { reason: message, former: formerTicket.safeParse(payload).data ?? null }
}
