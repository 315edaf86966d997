import type { Club } from '../../contract/club.ts'
import { refusals } from '../../contract/errors.ts'
import { type Event, refusalToRegister } from '../../contract/event.ts'
import { type EventState, eventState } from '../../contract/event-state.ts'
import type { Extras } from '../../contract/extras.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'

const headings: Readonly<Partial<Record<EventState, string>>> = {
  cancelled: 'This event is cancelled',
  over: 'This event is over',
  'not open': 'Not open yet',
  'sold out': 'Sold out',
  closed: 'Registration is closed',
  // Registration has closed by then, or there would be a form.
  'on now': 'Registration is closed',
}

/** The heading where nobody can register; undefined while registration is open, and for a draft. */
export function closedHeading(event: Event, now: Date): string | undefined {
  const isOpen = refusalToRegister(event, now) === null && eventState(event, now) !== 'sold out'
  return isOpen ? undefined : headings[eventState(event, now)]
}

/** Why nobody can register now, where badge and heading do not say it already. */
export function closedReason(event: Event, club: Club, extras: readonly Extras[], now: Date): string {
  const { registrationOpensAt: opens, registrationClosesAt: closes, endsAt, maxAttendees, timeZone } = event
  const at = (moment: Date) => `on ${formatDate(moment, timeZone)} at ${formatTime(moment, timeZone)}.`
  switch (refusalToRegister(event, now)) {
    case 'NOT_FOUND':
      return 'Visitors can register here once you have published the event.'
    case 'EVENT_CANCELLED':
      return `We are sorry: ${club.name} has cancelled it.${
        event.ticketPrice > 0 || extras.some(({ price }) => price > 0)
          ? ' What you have paid by card goes back to it.'
          : ''
      }`
    case 'EVENT_OVER':
      return `It ended ${at(endsAt)}`
    case 'REGISTRATION_NOT_OPEN':
      return opens ? `Registration opens ${at(opens)}` : refusals.REGISTRATION_NOT_OPEN.msg()
    case 'REGISTRATION_CLOSED':
      return closes ? `It closed ${at(closes)}` : refusals.REGISTRATION_CLOSED.msg()
    default:
      return `${maxAttendees === 1 ? 'The only place is' : `All ${maxAttendees} places are`} taken. A place may come free: look again, or ask the club.`
  }
}
