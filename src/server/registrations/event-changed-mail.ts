import { ticketUrl } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage } from '../../texts/language.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Together } from '../mail/composed.ts'
import { mailPage } from '../mail/layout.ts'
import type { MailPart } from '../mail/mail-parts.ts'
import { calendarAttachment } from './calendar-of.ts'
import { addressed, factLinks, factsOf, findAllAbout, frameOf, mailLanguage, previewOf } from './mail-facts.ts'

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
  const { frame, pictures } = await frameOf(deps, club)
  const page = inLanguage(mailLanguage(first), () => {
    const parts: MailPart[] = [
      { title: event.name, badge: texts.changed() },
      { greeting: texts.hello(first.registration) },
      { text: texts.changedText() },
      { lines: factsOf(event), ...factLinks(baseUrl, first) },
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
