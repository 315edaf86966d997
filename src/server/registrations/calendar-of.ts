import { batchedLookup } from '../db/batched-lookup.ts'
import type { Deps } from '../deps.ts'
import type { Attachment } from '../mail/mailer.ts'
import { type CalendarEntry, type CalendarMethod, calendarFile, calendarType } from '../tickets/calendar-file.ts'
import { countMoves } from './queries.ts'

const readMoves = batchedLookup(countMoves)

type Ticket = Omit<CalendarEntry, 'moves'>

/** The calendar file of these tickets, as things are now. */
export async function calendarOf(
  { db, now, settings }: Deps,
  tickets: readonly Ticket[],
  method: CalendarMethod = 'publish',
): Promise<Buffer> {
  const entries = await Promise.all(
    tickets.map(async (ticket) => ({ ...ticket, moves: (await readMoves(db, ticket.registration.id)) ?? 0 })),
  )
  return Buffer.from(calendarFile(entries, settings.baseUrl, now(), method))
}

/** The same, to go with a mail. */
export async function calendarAttachment(
  deps: Deps,
  tickets: readonly Ticket[],
  method: CalendarMethod = 'publish',
): Promise<Attachment> {
  return {
    filename: method === 'cancel' ? 'cancelled.ics' : 'event.ics',
    content: await calendarOf(deps, tickets, method),
    contentType: calendarType(method),
  }
}
