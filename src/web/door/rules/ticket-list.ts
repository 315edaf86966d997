import type { DoorList, DoorTicket } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'

/** An event's list of tickets as this phone has it. */
export interface TicketList extends Pick<DoorList, 'cursor' | 'event' | 'questions' | 'conflicts'> {
  /** Missing in lists that an earlier version has stored. */
  ticketTypes?: DoorList['ticketTypes']
  /** As the server last answered them. */
  tickets: Map<number, DoorTicket>
  /** When the server last answered, by its clock. */
  readAt: Date
}

/**
 * What this phone has changed about a ticket, and the server has not confirmed yet: its check-in (null if that was taken back), whether
 * its holder has gone out, and whether it is paid.
 */
export type LocalChange = Partial<Pick<DoorTicket, 'in' | 'out' | 'status' | 'due'>>

/** These changes by ticket. */
export type LocalCheckins = ReadonlyMap<number, LocalChange>

/**
 * Applies the server's changes to the list and returns which tickets changed. Null if some changes are missing: then the whole list has
 * to be fetched. A whole list replaces the old one.
 */
export function applyChanges(
  list: TicketList | null,
  changes: DoorList,
): { list: TicketList; changed: number[] } | null {
  const {
    tickets: rows,
    removed,
    count,
    isFull,
    now: readAt,
    cursor,
    event,
    questions,
    ticketTypes,
    conflicts,
  } = changes
  if (!isFull && list === null) return null
  const tickets = isFull || list === null ? new Map<number, DoorTicket>() : list.tickets
  const gone = isFull && list ? [...list.tickets.keys()] : removed
  for (const ticket of rows) tickets.set(ticket.id, ticket)
  if (!isFull) for (const id of removed) tickets.delete(id)
  if (tickets.size !== count) return null
  const changed = new Set([...gone, ...rows.map(({ id }) => id)])
  // Nothing but the time has changed, so the same object is returned and data derived from it stay valid.
  if (
    list &&
    !isFull &&
    changed.size === 0 &&
    isEqual([list.event, list.questions, list.ticketTypes, list.conflicts], [event, questions, ticketTypes, conflicts])
  )
    return { list: Object.assign(list, { cursor, readAt }), changed: [] }
  return { list: { cursor, event, questions, ticketTypes, conflicts, tickets, readAt }, changed: [...changed] }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A ticket as this phone sees it: the server's last answer, with this phone's own scans since. */
export function ticketOf(list: TicketList, localCheckins: LocalCheckins, id: number): DoorTicket | null {
  const ticket = list.tickets.get(id)
  if (!ticket) return null
  const local = localCheckins.get(id)
  if (local !== undefined) return { ...ticket, ...local }
  return isFreeOfOrder(ticket) && isPaidHere(list, localCheckins, ticket.orderId)
    ? { ...ticket, status: 'confirmed' }
    : ticket
}

/** Whether somebody with nothing to pay waits for others of their order. */
export function isFreeOfOrder(ticket: DoorTicket): ticket is DoorTicket & { orderId: number } {
  return ticket.status === 'pending' && ticket.due === undefined && ticket.orderId !== undefined
}

/** Whether this phone has taken money for somebody of the order, which makes the tickets valid that cost nothing. */
function isPaidHere(list: TicketList, localCheckins: LocalCheckins, orderId: number): boolean {
  return [...localCheckins].some(
    ([id, { status }]) => status === 'confirmed' && list.tickets.get(id)?.orderId === orderId,
  )
}

export interface TicketCounts {
  /** Valid tickets, and how many of their holders are inside. */
  inside: number
  total: number
  /** Registrations that hold a place, but are not let in before they are paid. */
  unpaid: number
}

/** What the head of the scanner counts. */
export function countTickets(list: TicketList, localCheckins: LocalCheckins): TicketCounts {
  let inside = 0
  let total = 0
  let unpaid = 0
  for (const ticket of list.tickets.values()) {
    const { status, in: first, out } = { ...ticket, ...localCheckins.get(ticket.id) }
    if (status === 'pending') unpaid++
    if (status !== 'confirmed') continue
    total++
    if (first !== null && out === undefined) inside++
  }
  return { inside, total, unpaid }
}

/** A guest's ticket type, where there are several, and the answers that are shown at the door, in the form's order. */
export function notesOf(
  { questions, ticketTypes }: Pick<TicketList, 'questions' | 'ticketTypes'>,
  { typeId, answers }: Pick<DoorTicket, 'typeId' | 'answers'>,
) {
  const type = ticketTypes?.find(({ id }) => id === typeId)
  const answered = questions.flatMap(({ id, text }) => {
    const answer = answers.find(({ qId }) => qId === id)?.answer
    return answer === undefined || answer === '' ? [] : [{ label: text, text: answer }]
  })
  return [...(type ? [{ label: texts.ticketType(), text: type.name }] : []), ...answered]
}
