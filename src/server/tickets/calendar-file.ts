import ical, { ICalAlarmType, type ICalCalendar, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { languageFor } from '../../contract/values/languages.ts'
import { ticketUrl } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/pdf.ts'
import { inLanguage } from '../../texts/language.ts'
import type { ClubRow, EventRow, RegistrationRow } from '../db/schema.ts'

export interface CalendarEntry {
  registration: Pick<RegistrationRow, 'id' | 'qrUuid' | 'status' | 'language'>
  event: EventRow
  club: Pick<ClubRow, 'name' | 'email' | 'language' | 'languages'>
  /** How often the registration was cancelled or confirmed. */
  moves: number
}

/** Reminds the owner of a calendar a day before an entry begins; the trigger is in seconds. */
export const dayBefore = { type: ICalAlarmType.display, trigger: 24 * 60 * 60 }

/** `cancel` takes the entry out of the calendar again. */
export type CalendarMethod = 'publish' | 'cancel'

/**
 * The event for a calendar program (RFC 5545), times in UTC, an entry for each ticket. The same ticket keeps the same id, and any change
 * raises the sequence, so that a newer file replaces its entry.
 */
export function calendarFile(
  entries: readonly CalendarEntry[],
  baseUrl: string,
  now: Date,
  method: CalendarMethod = 'publish',
): string {
  const isCancel = method === 'cancel'
  const calendar = ical({
    prodId: { company: 'Turnout', product: 'Turnout' },
    method: isCancel ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  })
  for (const { registration, event, club, moves } of entries) {
    const url = ticketUrl(baseUrl, registration)
    const isOff = isCancel || event.status === 'cancelled' || registration.status === 'cancelled'
    calendar.createEvent({
      id: `registration-${registration.id}@${new URL(baseUrl).hostname}`,
      start: event.startsAt,
      end: event.endsAt,
      stamp: now,
      sequence: event.version + moves,
      status: isOff ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      summary: event.name,
      location: event.location,
      description: `${club.name}\n${inLanguage(languageFor(registration.language, club), () => texts.ticketLink({ url }))}`,
      url,
      ...(!isOff && { alarms: [dayBefore] }),
      // Calendars accept a cancellation only from the sender of the entry.
      ...organizerOf(club),
    })
  }
  return calendarText(calendar)
}

/** The club as the organizer of an entry; nothing where it has no address. */
export function organizerOf({ name, email }: Pick<ClubRow, 'name' | 'email'>) {
  // A name in a calendar file cannot contain this quotation mark (RFC 5545, 3.2).
  return email === '' ? {} : { organizer: { name: name.replaceAll('"', '’'), email } }
}

/** The file as a whole; each of its lines ends, also the last, which the library leaves open. */
export function calendarText(calendar: ICalCalendar): string {
  return `${calendar.toString()}\r\n`
}

/** The media type of a mail's calendar file; programs read the method here too. */
export function calendarType(method: CalendarMethod): string {
  return `text/calendar; charset=utf-8; method=${method.toUpperCase()}`
}
