import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { ticketUrl } from '../../contract/tickets.ts'
import type { ClubRow, EventRow, RegistrationRow } from '../db/schema.ts'

interface Entry {
  registration: Pick<RegistrationRow, 'id' | 'qrUuid'>
  event: EventRow
  club: Pick<ClubRow, 'name'>
}

/**
 * The event for a calendar program (RFC 5545), times in UTC, an entry for each ticket. The same ticket keeps the same id, so that a newer
 * file replaces its entry.
 */
export function calendarFile(entries: readonly Entry[], baseUrl: string, now: Date): string {
  const calendar = ical({ prodId: { company: 'Turnout', product: 'Turnout' }, method: ICalCalendarMethod.PUBLISH })
  for (const { registration, event, club } of entries) {
    const url = ticketUrl(baseUrl, registration)
    calendar.createEvent({
      id: `registration-${registration.id}@${new URL(baseUrl).hostname}`,
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
  }
  return calendar.toString()
}
