import { ticketUrl } from '../../contract/values/ticket-codes.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Together } from '../mail/composed.ts'
import { type MailPart, mailPage } from '../mail/layout.ts'
import { calendarAttachment } from './calendar-of.ts'
import { addressed, factsOf, findAllAbout, frameOf, mapLink } from './mail-facts.ts'

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
  const parts: MailPart[] = [
    { title: event.name, badge: 'Changed' },
    { text: `Hello ${first.registration.name},` },
    { text: 'The time or the place has changed. This is how it is now:' },
    { lines: factsOf(event), ...mapLink(event) },
    {
      text:
        all.length === 1
          ? 'Your ticket stays valid. The file with this mail updates your calendar.'
          : 'Your tickets stay valid. The file with this mail updates your calendar.',
    },
    ...all.map(({ registration }) => ({
      button: all.length === 1 ? 'Open your ticket' : `Open the ticket of ${registration.name}`,
      url: ticketUrl(baseUrl, registration),
    })),
    {
      text: `You cannot come any more? ${all.length === 1 ? 'Open the ticket' : 'Open a ticket'} to give the place back.`,
    },
  ]
  const page = mailPage(`Changed: ${event.name}`, parts, frameOf(club))
  const attachments = [await calendarAttachment(deps, all)]
  return { words: addressed(first, { ...page, attachments }), told }
}
