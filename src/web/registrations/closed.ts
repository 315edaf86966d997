import type { Club } from '../../contract/club.ts'
import { refusals } from '../../contract/errors.ts'
import { type Event, refusalToRegister } from '../../contract/event.ts'
import { type EventState, eventState, isOpenForTickets } from '../../contract/event-state.ts'
import type { Extras } from '../../contract/extras.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/event.ts'
import type { Message } from '../../texts/language.ts'
import type { noTicketNow } from './ticket-type/chosen-type.ts'

const headings: Readonly<Partial<Record<EventState, Message>>> = {
  cancelled: texts.cancelledHeading,
  over: texts.overHeading,
  'not open': texts.notOpenHeading,
  'sold out': texts.soldOutHeading,
  closed: texts.closedHeading,
  // Registration has closed by then, or there would be a form.
  'on now': texts.closedHeading,
}

/** The heading where nobody can register; undefined while registration is open, and for a draft. */
export function closedHeading(event: Event, now: Date): string | undefined {
  return isOpenForTickets(event, now) ? undefined : headings[eventState(event, now)]?.()
}

/** Why nobody can register now, where badge and heading do not say it already. */
export function closedReason(event: Event, club: Club, extras: readonly Extras[], now: Date): string {
  const { registrationOpensAt: opens, registrationClosesAt: closes, endsAt, maxAttendees, timeZone } = event
  const at = (moment: Date) => ({ date: formatDate(moment, timeZone), time: formatTime(moment, timeZone) })
  switch (refusalToRegister(event, now)) {
    case 'NOT_FOUND':
      return texts.draftReason()
    case 'EVENT_CANCELLED':
      return event.ticketPriceTo > 0 || event.ticketPrice > 0 || extras.some(({ price }) => price > 0)
        ? texts.cancelledPaidReason({ club: club.name })
        : texts.cancelledReason({ club: club.name })
    case 'EVENT_OVER':
      return texts.overReason(at(endsAt))
    case 'REGISTRATION_NOT_OPEN':
      return opens ? texts.notOpenReason(at(opens)) : refusals.REGISTRATION_NOT_OPEN.msg()
    case 'REGISTRATION_CLOSED':
      return closes ? texts.closedReason(at(closes)) : refusals.REGISTRATION_CLOSED.msg()
    default:
      return texts.soldOutReason({ count: maxAttendees ?? 0 })
  }
}

type NoTicket = NonNullable<ReturnType<typeof noTicketNow>>

const noTicketHeadings = {
  'not yet': texts.notOpenHeading,
  'sold out': texts.soldOutHeading,
  over: texts.closedHeading,
} as const

/** The heading where the event takes registrations but none of its tickets can be had. */
export function noTicketHeading({ why }: NoTicket): string {
  return noTicketHeadings[why]()
}

/** Why none of the event's tickets can be had. */
export function noTicketReason({ why, opensAt, closedAt }: NoTicket, { timeZone }: Event): string {
  const at = (moment: Date) => ({ date: formatDate(moment, timeZone), time: formatTime(moment, timeZone) })
  if (why === 'sold out') return texts.ticketsGone()
  if (why === 'not yet') return opensAt ? texts.notOpenReason(at(opensAt)) : refusals.REGISTRATION_NOT_OPEN.msg()
  return closedAt ? texts.closedReason(at(closedAt)) : refusals.REGISTRATION_CLOSED.msg()
}
