import { formatSpan } from '../../contract/dates.ts'
import { shortCode, ticketUrl } from '../../contract/tickets.ts'
import { findClub } from '../clubs/queries.ts'
import type { ClubRow, EventRow, MailRow, RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { mailPage } from '../mail/layout.ts'
import type { Mail } from '../mail/mailer.ts'
import { findRegistration } from './queries.ts'

interface About {
  registration: RegistrationRow
  event: EventRow
  club: ClubRow
}

type Words = Omit<Mail, 'messageId'>

/** The mail with the way to the ticket; null when the registration is no longer confirmed. */
export function ticketMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, ({ registration, event, club }) =>
    registration.status !== 'confirmed' || event.status === 'cancelled'
      ? null
      : mailPage(`Your ticket: ${event.name}`, [
          { text: `Hello ${registration.name},` },
          { text: `you are registered for ${event.name}.` },
          { lines: factsOf(event, club) },
          { button: 'Open your ticket', url: ticketUrl(deps.settings.baseUrl, registration) },
          { text: `Show its QR code at the door. Code for typing: ${shortCode(registration)}` },
        ]),
  )
}

/** The mail that the event does not take place; null when it does after all, or the registration had been cancelled. */
export function eventCancelledMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, ({ registration, event, club }) =>
    registration.status === 'cancelled' || event.status !== 'cancelled'
      ? null
      : mailPage(`Cancelled: ${event.name}`, [
          { text: `Hello ${registration.name},` },
          { text: `we are sorry: ${event.name} has been cancelled. Your ticket is no longer needed.` },
          { lines: factsOf(event, club) },
          { text: 'If you have a question, just answer this mail.' },
        ]),
  )
}

/** The mail that the club has taken a registration back; null when it is confirmed again. */
export function registrationCancelledMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, ({ registration, event, club }) =>
    registration.status !== 'cancelled'
      ? null
      : mailPage(`Your registration was cancelled: ${event.name}`, [
          { text: `Hello ${registration.name},` },
          { text: `${club.name} has cancelled your registration for ${event.name}. Your ticket is no longer valid.` },
          { lines: factsOf(event, club) },
          { text: 'If this is a mistake, just answer this mail.' },
        ]),
  )
}

function factsOf(event: EventRow, club: ClubRow): string[] {
  const when = formatSpan(event.startsAt, event.endsAt, event.timeZone)
  return [when, event.location, club.name].filter((fact) => fact !== '')
}

async function mailAbout(
  { db }: Deps,
  row: MailRow,
  words: (about: About) => Pick<Mail, 'subject' | 'text' | 'html'> | null,
): Promise<Words | null> {
  const registration = row.registrationId === null ? undefined : await findRegistration(db, row.registrationId)
  if (!registration || registration.email === '') return null
  const [event, club] = await Promise.all([findEvent(db, registration.eventId), findClub(db, registration.clubId)])
  const page = event && club ? words({ registration, event, club }) : null
  return page && { ...page, to: registration.email, replyTo: club?.email || null }
}
