import type { DoorTicket } from '../../../contract/door.ts'
import { refusalForTicket } from '../../../contract/errors.ts'
import { formatTime, formatWeekday } from '../../../contract/values/dates.ts'
import { readQr } from '../../../contract/values/ticket-codes.ts'
import * as texts from '../../../texts/generated/door.ts'
import { type OtherEvents, otherEventOf } from './other-event.ts'
import { type LocalCheckins, notesOf, type TicketList, ticketOf } from './ticket-list.ts'
import { type Verdict, verdictOf } from './verdict.ts'
import { ticketWithCode, voucherWithCode } from './vouchers.ts'

export interface Judgement {
  verdict: Verdict
  /** How long to wait for the server's answer, in ms; 0 if it could only be the same. */
  patienceMs: number
}

/** The wait where the list has enough to decide, in ms. */
const SHORT_MS = 300
/** The wait before somebody is sent away whom the server may know by now, in ms. */
const LONG_MS = 3_000

/**
 * Judges a code by the phone's list alone, without any clock, so that a wrong clock does no harm. Null without a list.
 */
export function judge(
  text: string,
  list: TicketList | null,
  localCheckins: LocalCheckins,
  others: OtherEvents | null = null,
  direction: Direction = 'in',
): Judgement | null {
  const content = readQr(text)
  if (!content) return { verdict: verdictOf({ code: 'INVALID_QR' }), patienceMs: 0 }
  if (content.kind === 'voucher' || content.kind === 'short voucher')
    return { verdict: verdictOf({ code: 'WRONG_SCANNER' }), patienceMs: 0 }
  if (!list) return null
  const known = ticketWithCode(content, list)
  const ticket = known && ticketOf(list, localCheckins, known.id)
  if (!ticket) {
    if (voucherWithCode(content, list)) return { verdict: verdictOf({ code: 'WRONG_SCANNER' }), patienceMs: 0 }
    const other = otherEventOf(content, others)
    return { verdict: other ? ofOtherEvent(other) : verdictOf({ code: 'NOT_FOUND' }), patienceMs: LONG_MS }
  }
  return judgeTicket(ticket, list, direction)
}

function ofOtherEvent({ name: event, startsAt, timeZone }: OtherEvents['events'][number]): Verdict {
  const [day, time] = [formatWeekday(startsAt, timeZone), formatTime(startsAt, timeZone)]
  return verdictOf({ code: 'WRONG_EVENT', msg: texts.otherEventAt({ event, day, time }) })
}

/** The same for a ticket chosen from the list. */
export function judgeTicket(ticket: DoorTicket, list: TicketList, direction: Direction = 'in'): Judgement {
  const { id: ticketId, name, due, in: first, out } = ticket
  const code = list.event.status === 'cancelled' ? 'EVENT_CANCELLED' : refusalFor(ticket, list.event, direction)
  // Of an order, whoever has nothing to pay waits for the others.
  const waits = code === 'TICKET_UNPAID' && !due && ticket.orderId !== undefined
  const moved = movementOf(ticket, direction)
  const found = {
    code,
    ticketId,
    name,
    first,
    isOut: out !== undefined,
    due,
    waits,
    moved,
    notes: notesOf(list, ticket),
  }
  const isKnown = code === null || code === 'ALREADY_CHECKED_IN' || code === 'NOT_INSIDE'
  return { verdict: verdictOf(found, list.event), patienceMs: isKnown ? SHORT_MS : LONG_MS }
}

type Direction = 'in' | 'out'

function refusalFor(
  { status, in: first, out }: DoorTicket,
  { allowsReentry }: Partial<TicketList['event']>,
  direction: Direction,
): string | null {
  const invalid = refusalForTicket(status)
  if (invalid) return invalid
  const isInside = first !== null && out === undefined
  if (direction === 'out') return isInside ? null : 'NOT_INSIDE'
  return isInside || (first !== null && !allowsReentry) ? 'ALREADY_CHECKED_IN' : null
}

/** Whether somebody who was let in before goes out or comes back; undefined for whoever comes for the first time. */
export function movementOf(
  ticket: Pick<DoorTicket, 'in' | 'out'> | undefined,
  direction: Direction,
): 'out' | 'back' | undefined {
  if (direction === 'out') return 'out'
  return ticket?.in && ticket.out !== undefined ? 'back' : undefined
}
