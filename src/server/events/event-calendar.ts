import { Readable } from 'node:stream'
import ical, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { opensAt } from '../../contract/event.ts'
import { sayIn } from '../../contract/own-words.ts'
import * as texts from '../../texts/generated/heads.ts'
import { currentLanguage } from '../../texts/language.ts'
import type { ClubRow, EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { readActiveEvents } from '../records/shared-reads.ts'
import { textsOf } from '../records/to-event.ts'
import { calendarText, dayBefore, organizerOf } from '../tickets/calendar-file.ts'
import { eventUrl } from './event-url.ts'

const MINUTE = 60_000
/** How long past events stay in a club's feed: programs take out of the calendar what is no longer in it, such as a cancelled event. */
const DAY_MS = 24 * 60 * MINUTE
const KEPT_MS = 90 * DAY_MS

/** In seconds: how often programs that subscribe to a club's feed are asked to read it. */
const READ_EVERY = 4 * 60 * 60

type Of = 'event' | 'opening'

/** The calendar file (RFC 5545) of a public event, or of the moment its registration opens. */
export function eventCalendarFile(deps: Deps, event: EventRow, club: ClubRow, of: Of) {
  const content = calendarOf(deps, [event], club, of)
  return { name: `event-${event.id}.ics`, content: Readable.from([content]) }
}

/** A club's upcoming events, and those of the last months, as a calendar to subscribe to. */
export async function clubCalendar(deps: Deps, club: ClubRow): Promise<string> {
  // By the day, so that all who ask at one moment share the query.
  const since = Math.floor((deps.now().getTime() - KEPT_MS) / DAY_MS) * DAY_MS
  const events = await readActiveEvents(deps.db, club.id, new Date(since))
  return calendarOf(deps, events, club, 'feed')
}

function calendarOf({ now, settings }: Deps, events: readonly EventRow[], club: ClubRow, of: Of | 'feed'): string {
  const calendar = ical({
    name: club.name,
    ...(of === 'feed' && { ttl: READ_EVERY }),
    prodId: { company: 'Turnout', product: 'Turnout' },
    method: ICalCalendarMethod.PUBLISH,
  })
  const host = new URL(settings.baseUrl).hostname
  for (const event of events) {
    const url = eventUrl(settings.baseUrl, event)
    const name = sayIn(textsOf(event.translations[currentLanguage()]))(event.name)
    const opens = of === 'opening' ? opensAt(event) : null
    calendar.createEvent({
      id: `${opens ? 'opening' : 'event'}-${event.id}@${host}`,
      start: opens ?? event.startsAt,
      end: opens ? new Date(opens.getTime() + 15 * MINUTE) : event.endsAt,
      stamp: now(),
      sequence: event.version,
      status: event.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      // Whoever only follows the club, or is reminded, is not busy.
      ...(of !== 'event' && { transparency: ICalEventTransparency.TRANSPARENT }),
      ...organizerOf(club),
      summary: opens ? texts.registrationOpens({ event: name }) : name,
      location: event.location,
      description: `${club.name}\n${url}`,
      url,
      alarms: [opens ? { ...dayBefore, trigger: 0 } : dayBefore],
    })
  }
  return calendarText(calendar)
}
