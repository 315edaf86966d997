import type { DoorTicket } from '../../../contract/door.ts'
import * as texts from '../../../texts/generated/door.ts'
import { isFreeOfOrder, type LocalCheckins, type TicketList, ticketOf } from './ticket-list.ts'
import type { Verdict } from './verdict.ts'

/** The others of a ticket's order who have a place and are not in yet. Whoever has nothing to pay waits for the first who pays. */
export function othersOfOrder(list: TicketList, localCheckins: LocalCheckins, ticketId: number): DoorTicket[] {
  const orderId = list.tickets.get(ticketId)?.orderId
  if (orderId === undefined) return []
  return [...list.tickets.values()]
    .filter((ticket) => ticket.orderId === orderId && ticket.id !== ticketId)
    .flatMap(({ id }) => ticketOf(list, localCheckins, id) ?? [])
    .filter((ticket) => ticket.in === null && ticket.status !== 'cancelled')
}

/** The tickets that are valid once this one is paid: those of its order that cost nothing too. */
export function validWith(list: TicketList | null, ticketId: number): number[] {
  const orderId = list?.tickets.get(ticketId)?.orderId
  const tickets = orderId === undefined ? [] : [...(list?.tickets.values() ?? [])]
  return [ticketId, ...tickets.filter((each) => isFreeOfOrder(each) && each.orderId === orderId).map(({ id }) => id)]
}

/** One verdict for several people who were let in together: the first who was not, or all of them. */
export function verdictOfAll(verdicts: readonly Verdict[]): Verdict | null {
  const isIn = ({ kind }: Verdict) => kind === 'in'
  const names = verdicts.filter(isIn).flatMap(({ name }) => name ?? [])
  const missed = verdicts.find((verdict) => !isIn(verdict))
  if (missed && names.length > 0)
    return { ...missed, detail: `${missed.detail} ${texts.othersAreIn({ names: names.join(', ') })}`.trim() }
  const [first] = verdicts
  return missed ?? (first ? { ...first, name: names.join(', '), notes: [] } : null)
}
