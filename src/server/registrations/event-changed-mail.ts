import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { moment } from '../../contract/values/fields.ts'
import { ticketUrl } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import { omitUndefined } from '../db/omit-undefined.ts'
import type { EventRow, MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Together } from '../mail/composed.ts'
import { mailPage } from '../mail/layout.ts'
import type { MailPart } from '../mail/mail-parts.ts'
import { calendarAttachment } from './calendar-of.ts'
import {
  type About,
  addressed,
  factLinks,
  factsOf,
  findAllAbout,
  frameOf,
  mailLanguage,
  previewOf,
} from './mail-facts.ts'
import { findEditsNotTold } from './queries.ts'

/** The mail about a changed time or place, for all tickets of an address; null when none of them is valid any more. */
export async function eventChangedMail(deps: Deps, rows: readonly MailRow[]): Promise<Together> {
  const abouts = await findAllAbout(
    deps,
    rows,
    ({ registration, event }) => registration.status === 'confirmed' && event.status === 'published',
  )
  if (!abouts) return null
  const { first, all, told } = abouts
  const { event, club } = first
  const { baseUrl } = deps.settings
  const [{ frame, pictures }, before] = await Promise.all([frameOf(deps, club), asLastTold(deps, event, all)])
  const page = inLanguage(mailLanguage(first), () => {
    const parts: MailPart[] = [
      { title: event.name, badge: texts.changed() },
      { greeting: texts.hello(first.registration) },
      { text: texts.changedText() },
      { lines: factsOf(event), ...factLinks(baseUrl, first) },
      ...partsBefore(before, event),
      { text: texts.staysValid({ count: all.length }) },
      ...all.map(({ registration }) => ({
        button: all.length === 1 ? texts.openTicket() : texts.openTicketOf(registration),
        url: ticketUrl(baseUrl, registration),
      })),
      { text: texts.cannotComeNow({ count: all.length }) },
    ]
    return mailPage(texts.changedSubject({ event: event.name }), parts, frame, previewOf(event))
  })
  const attachments = [await calendarAttachment(deps, all), ...pictures]
  return { words: addressed(first, { ...page, attachments }), told }
}

/** The time and the place, as edits of an event log them. */
const timeAndPlace = z.object({
  startsAt: z.optional(moment),
  endsAt: z.optional(moment),
  timeZone: z.optional(z.string()),
  location: z.optional(z.string()),
})

/** The event as its readers were last told of it. */
async function asLastTold({ db }: Deps, event: EventRow, told: readonly About[]): Promise<EventRow> {
  const ids = told.map(({ registration }) => registration.id)
  let was = event
  for (const { before } of await findEditsNotTold(db, event.id, ids))
    was = { ...was, ...omitUndefined(timeAndPlace.safeParse(before).data ?? {}) }
  return was
}

/** What no longer holds; nothing where the event is again what it was. */
function partsBefore(before: EventRow, event: EventRow): MailPart[] {
  // A day is never without its times.
  const [timesBefore, times] = [before, event].map((each) => factsOf({ ...each, location: '' }))
  const lines = [
    ...(timesBefore && !isDeepStrictEqual(timesBefore, times) ? timesBefore : []),
    ...(before.location !== event.location && before.location !== '' ? [before.location] : []),
  ]
  return lines.length === 0 ? [] : [{ text: texts.changedBefore() }, { lines, isOver: true }]
}
