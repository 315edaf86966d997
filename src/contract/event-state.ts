import type { RefusalCode } from './errors.ts'
import { type Event, refusalToRegister, seatsLeft } from './event.ts'

/**
 * What an event's badge says. An event that is on is `on now` as long as nobody could be turned away at its form: while places are left, or
 * once registration has closed.
 */
export type EventState =
  | 'draft'
  | 'cancelled'
  | 'over'
  | 'not open'
  | 'sold out'
  | 'on now'
  | 'closed'
  | 'few left'
  | 'open'

/** Only a few places are left: at most ten, and at most a quarter of all. */
const isFew = (left: number, places: number) => left <= 10 && left * 4 <= places

type Facts = Pick<
  Event,
  | 'status'
  | 'startsAt'
  | 'endsAt'
  | 'registrationOpensAt'
  | 'registrationClosesAt'
  | 'maxAttendees'
  | 'registrationCount'
  | 'walkInPlaces'
  | 'ticketsOpenAt'
  | 'ticketsCloseAt'
  | 'ticketsGone'
>

/** The state of an event at a moment, for its badge and for what a visitor can do next. */
export function eventState(event: Facts, now: Date): EventState {
  const left = seatsLeft(event)
  const refusal = refusalToRegister(event, now) ?? (left === 0 ? 'SOLD_OUT' : noTicketAt(event, now))
  switch (refusal) {
    case 'NOT_FOUND':
      return 'draft'
    case 'EVENT_CANCELLED':
      return 'cancelled'
    case 'EVENT_OVER':
      return 'over'
    case 'REGISTRATION_NOT_OPEN':
      return 'not open'
    case 'REGISTRATION_CLOSED':
      return now >= event.startsAt ? 'on now' : 'closed'
    default:
      if (refusal === 'SOLD_OUT') return 'sold out'
      if (now >= event.startsAt) return 'on now'
      return event.maxAttendees !== null && left !== null && isFew(left, event.maxAttendees) ? 'few left' : 'open'
  }
}

/** Why none of its tickets can be had, as far as the event itself knows; null when one can. */
function noTicketAt({ ticketsOpenAt, ticketsCloseAt, ticketsGone }: Facts, now: Date): RefusalCode | null {
  if (ticketsOpenAt && now < ticketsOpenAt) return 'REGISTRATION_NOT_OPEN'
  if (ticketsCloseAt && now >= ticketsCloseAt) return 'REGISTRATION_CLOSED'
  return ticketsGone ? 'SOLD_OUT' : null
}

/** Whether the event takes registrations, as far as its own times, state and places say. */
export function isOpenForTickets(event: Facts, now: Date): boolean {
  return refusalToRegister(event, now) === null && seatsLeft(event) !== 0
}

/** Whether somebody can register now, as far as the event itself knows. */
export function canRegister(event: Facts, now: Date): boolean {
  return isOpenForTickets(event, now) && noTicketAt(event, now) === null
}
