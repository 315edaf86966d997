import type { DoorTicket } from '../../../contract/door.ts'
import { refusalForTicket } from '../../../contract/errors.ts'
import { readQr } from '../../../contract/values/ticket-codes.ts'
import { type Marks, notesOf, type TicketList, ticketOf } from './ticket-list.ts'
import { type Verdict, verdictOf } from './verdict.ts'
import { holderOfVoucher, opens } from './vouchers.ts'

export interface Judgement {
  verdict: Verdict
  /** How long the server's answer is worth waiting for, in ms: 0 where it could say nothing else. */
  patienceMs: number
}

/** The door does not wait longer where the list says enough. */
const SHORT_MS = 300
/** It waits longer before it sends somebody away whom the server may know by now. */
const LONG_MS = 3_000

/**
 * What this phone makes of a code by its list alone. No clock has a part in it, so a wrong one changes nothing. Null: there is no
 * list to judge by.
 */
export function judge(text: string, list: TicketList | null, marks: Marks): Judgement | null {
  const content = readQr(text)
  if (!content) return { verdict: verdictOf({ code: 'INVALID_QR' }), patienceMs: 0 }
  if (content.kind === 'voucher' || content.kind === 'short voucher')
    return { verdict: verdictOf({ code: 'WRONG_SCANNER' }), patienceMs: 0 }
  if (!list) return null
  const ticket = ticketOf(list, marks, content.id)
  if (!ticket || !opens(content, ticket))
    return holderOfVoucher(content, list)
      ? { verdict: verdictOf({ code: 'WRONG_SCANNER' }), patienceMs: 0 }
      : { verdict: verdictOf({ code: 'NOT_FOUND' }), patienceMs: LONG_MS }
  return judgeTicket(ticket, list)
}

/** The same for somebody chosen from the list. */
export function judgeTicket(ticket: DoorTicket, list: TicketList): Judgement {
  const { id: ticketId, name, status, in: first } = ticket
  const code = list.event.status === 'cancelled' ? 'EVENT_CANCELLED' : whyNot(status, first !== null)
  const verdict = verdictOf({ code, ticketId, name, first, notes: notesOf(list, ticket) }, list.event)
  return { verdict, patienceMs: code === null || code === 'ALREADY_CHECKED_IN' ? SHORT_MS : LONG_MS }
}

function whyNot(status: DoorTicket['status'], isIn: boolean): string | null {
  return refusalForTicket(status) ?? (isIn ? 'ALREADY_CHECKED_IN' : null)
}
