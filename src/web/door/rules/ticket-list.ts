import type { DoorList, DoorTicket } from '../../../contract/door.ts'

/** An event's list as this phone has it. */
export interface TicketList extends Pick<DoorList, 'cursor' | 'event' | 'questions' | 'conflicts'> {
  /** As the server last said it. */
  tickets: Map<number, DoorTicket>
  /** When the server last said it, by the server's clock. */
  readAt: Date
}

/** What this phone has done that the server has not confirmed yet: let in, or taken back (null). The latest by ticket. */
export type Marks = ReadonlyMap<number, DoorTicket['in']>

/**
 * Takes the server's news in and answers which tickets changed; null when the list cannot be brought up to date by them,
 * because something is missing: then it is needed anew. A whole list takes the place of what was there.
 */
export function takeNews(list: TicketList | null, news: DoorList): { list: TicketList; changed: number[] } | null {
  const { tickets: rows, removed, count, isFull, now: readAt, cursor, event, questions, conflicts } = news
  if (!isFull && list === null) return null
  const tickets = isFull || list === null ? new Map<number, DoorTicket>() : list.tickets
  const gone = isFull && list ? [...list.tickets.keys()] : removed
  for (const ticket of rows) tickets.set(ticket.id, ticket)
  if (!isFull) for (const id of removed) tickets.delete(id)
  if (tickets.size !== count) return null
  const changed = new Set([...gone, ...rows.map(({ id }) => id)])
  // Nothing new but the hour: the same list, so that nothing that was made of it has to be made again.
  if (
    list &&
    !isFull &&
    changed.size === 0 &&
    sameText([list.event, list.questions, list.conflicts], [event, questions, conflicts])
  )
    return { list: Object.assign(list, { cursor, readAt }), changed: [] }
  return { list: { cursor, event, questions, conflicts, tickets, readAt }, changed: [...changed] }
}

function sameText(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** A ticket as it stands on this phone: as the server said, and what was done here since. */
export function ticketOf(list: TicketList, marks: Marks, id: number): DoorTicket | null {
  const ticket = list.tickets.get(id)
  if (!ticket) return null
  const mark = marks.get(id)
  return mark === undefined ? ticket : { ...ticket, in: mark }
}

/** How many tickets are valid, and how many of them are in. */
export function countTickets(list: TicketList, marks: Marks): { inside: number; total: number } {
  let inside = 0
  let total = 0
  for (const { id, status, in: isIn } of list.tickets.values()) {
    if (status !== 'confirmed') continue
    total++
    const mark = marks.get(id)
    if ((mark === undefined ? isIn : mark) !== null) inside++
  }
  return { inside, total }
}

/** What the door should know of who comes in, in the form's order. */
export function notesOf({ questions }: Pick<TicketList, 'questions'>, { answers }: Pick<DoorTicket, 'answers'>) {
  return questions.flatMap(({ id, text }) => {
    const answer = answers.find(({ qId }) => qId === id)?.answer
    return answer === undefined || answer === '' ? [] : [{ label: text, text: answer }]
  })
}
