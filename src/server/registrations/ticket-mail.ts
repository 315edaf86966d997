import { formatSpan } from '../../contract/dates.ts'
import { mapUrl } from '../../contract/events.ts'
import { shortCode, ticketUrl } from '../../contract/tickets.ts'
import { findClub } from '../clubs/queries.ts'
import type { ClubRow, EventRow, MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { variantName } from '../images/make-image.ts'
import { mailPage } from '../mail/layout.ts'
import type { Attachment, Mail } from '../mail/mailer.ts'
import { calendarFile } from '../tickets/calendar-file.ts'
import { makePdf, makePicture } from '../tickets/maker.ts'
import type { TicketFacts } from '../tickets/ticket-pdf.ts'
import { findRegistration } from './queries.ts'

type About = TicketFacts
type MailWords = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>

type Words = Omit<Mail, 'messageId'>

/** The mail with the ticket, as picture, as PDF and for the calendar; null when the registration is no longer confirmed. */
export function ticketMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, async (about) => {
    const { registration, event, club } = about
    if (registration.status !== 'confirmed' || event.status === 'cancelled') return null
    const { baseUrl } = deps.settings
    const url = ticketUrl(baseUrl, registration)
    const logo = club.logo === '' ? null : await deps.images.get(variantName(club.logo, 'club-logo', null, false))
    const page = mailPage(`Your ticket: ${event.name}`, [
      ...(logo ? [{ picture: 'logo', alt: club.name, size: 96 }] : []),
      { text: club.name, isStrong: true },
      { text: `Hello ${registration.name},` },
      { text: `you are registered for ${event.name}.` },
      { lines: factsOf(event, club) },
      ...(event.location === '' ? [] : [{ link: 'Show the place on a map', url: mapUrl(event.location) }]),
      { picture: 'qr', alt: 'The QR code of your ticket', size: 240 },
      { text: `Show this code at the door, on paper or on your phone. For typing: ${shortCode(registration)}` },
      { button: 'Open your ticket', url },
      { link: 'You cannot come? Give your place back', url: `${url}#give-back` },
    ])
    return { ...page, attachments: await attachmentsFor(about, baseUrl, logo, deps.now()) }
  })
}

async function attachmentsFor(about: About, baseUrl: string, logo: Buffer | null, now: Date): Promise<Attachment[]> {
  const url = ticketUrl(baseUrl, about.registration)
  const calendar = Buffer.from(calendarFile(about, url, now))
  return [
    { filename: 'ticket.pdf', content: await makePdf(about, baseUrl), contentType: 'application/pdf' },
    { filename: 'event.ics', content: calendar, contentType: 'text/calendar; charset=utf-8; method=PUBLISH' },
    { filename: 'ticket.png', content: await makePicture(url), contentType: 'image/png', cid: 'qr' },
    ...(logo ? [{ filename: 'logo.png', content: logo, contentType: 'image/png', cid: 'logo' }] : []),
  ]
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

/** The mail that tells the club of a place given back; null when it has no address, or the place was taken again. */
export async function placeGivenBackMail({ db, settings }: Deps, row: MailRow): Promise<Words | null> {
  const registration = row.registrationId === null ? undefined : await findRegistration(db, row.registrationId)
  if (registration?.status !== 'cancelled') return null
  const [event, club] = await Promise.all([findEvent(db, registration.eventId), findClub(db, registration.clubId)])
  if (!event || !club || club.email === '') return null
  const page = mailPage(`A place was given back: ${event.name}`, [
    { text: `${registration.name} cannot come to ${event.name} and has given the place back. It is free again.` },
    {
      lines: [
        `${event.registrationCount} places are taken${event.maxAttendees === null ? '' : ` of ${event.maxAttendees}`}.`,
      ],
    },
    { button: 'See the attendees', url: `${settings.baseUrl}/event/${event.id}/attendees?open=${registration.id}` },
  ])
  return { ...page, to: club.email, replyTo: registration.email || null }
}

function factsOf(event: EventRow, club: ClubRow): string[] {
  const when = formatSpan(event.startsAt, event.endsAt, event.timeZone)
  return [when, event.location, club.name].filter((fact) => fact !== '')
}

async function mailAbout(
  { db }: Deps,
  row: MailRow,
  words: (about: About) => MailWords | null | Promise<MailWords | null>,
): Promise<Words | null> {
  const registration = row.registrationId === null ? undefined : await findRegistration(db, row.registrationId)
  if (!registration || registration.email === '') return null
  const [event, club] = await Promise.all([findEvent(db, registration.eventId), findClub(db, registration.clubId)])
  const page = event && club ? await words({ registration, event, club }) : null
  return page && { ...page, to: registration.email, replyTo: club?.email || null }
}
