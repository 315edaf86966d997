import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import type { TicketFacts } from './ticket-pdf.ts'

/** The event for a calendar program (RFC 5545), times in UTC. The same ticket keeps the same id, so that a newer file replaces it. */
export function calendarFile({ registration, event, club }: TicketFacts, url: string, now: Date): string {
  const calendar = ical({ prodId: { company: 'Turnout', product: 'Turnout' }, method: ICalCalendarMethod.PUBLISH })
  calendar.createEvent({
    id: `registration-${registration.id}@${new URL(url).hostname}`,
    start: event.startsAt,
    end: event.endsAt,
    stamp: now,
    sequence: event.version,
    status: event.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    summary: event.name,
    location: event.location,
    description: `${club.name}\nTicket: ${url}`,
    url,
  })
  return calendar.toString()
}
