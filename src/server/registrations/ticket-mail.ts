import { formatSpan } from '../../contract/dates.ts'
import { mapUrl } from '../../contract/events.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import { formatPrice } from '../../contract/money.ts'
import { shortCode, ticketUrl, voucherCode, voucherUrl } from '../../contract/tickets.ts'
import { findClub } from '../clubs/queries.ts'
import type { ClubRow, EventRow, MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { findPurchases } from '../extras/queries.ts'
import { readImage } from '../images/read-image.ts'
import { type MailPart, mailPage } from '../mail/layout.ts'
import type { Attachment, Mail } from '../mail/mailer.ts'
import { findRefundsOf } from '../payments/queries.ts'
import { calendarFile } from '../tickets/calendar-file.ts'
import { makePdf, makePicture } from '../tickets/maker.ts'
import type { TicketFacts } from '../tickets/ticket-pdf.ts'
import { findRegistration } from './queries.ts'

type About = TicketFacts & { refunds: Refunds }
type Refunds = Awaited<ReturnType<typeof findRefundsOf>>
type MailWords = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>

type Words = Omit<Mail, 'messageId'>

/** The mail with the ticket, as picture, as PDF and for the calendar; null when the registration is no longer confirmed. */
export function ticketMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, async (about) => {
    const { registration, event, club } = about
    if (registration.status !== 'confirmed' || event.status === 'cancelled') return null
    const { baseUrl } = deps.settings
    const url = ticketUrl(baseUrl, registration)
    const logo = club.logo === '' ? null : await readImage(deps, { kind: 'club-logo', file: club.logo })
    const page = mailPage(`Your ticket: ${event.name}`, [
      ...(logo ? [{ picture: 'logo', alt: club.name, size: 96 }] : []),
      { text: club.name, isStrong: true },
      { text: `Hello ${registration.name},` },
      { text: `you are registered for ${event.name}.` },
      { lines: factsOf(event, club) },
      ...(event.location === '' ? [] : [{ link: 'Show the place on a map', url: mapUrl(event.location) }]),
      { picture: 'qr', alt: 'The QR code of your ticket', size: 240 },
      { text: `Show this code at the door, on paper or on your phone. For typing: ${shortCode(registration)}` },
      ...about.purchases.flatMap(voucherParts),
      { button: 'Open your ticket', url },
      { link: 'You cannot come? Give your place back', url: `${url}#give-back` },
    ])
    return { ...page, attachments: await attachmentsFor(about, baseUrl, logo, deps.now()) }
  })
}

function voucherParts(voucher: ExtrasPurchase): MailPart[] {
  const holds = voucher.content.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  return [
    { text: `Voucher: ${voucher.name}`, isStrong: true },
    { picture: `voucher-${voucher.id}`, alt: `The QR code of the voucher ${voucher.name}`, size: 180 },
    { text: `Good for ${holds}. For typing: ${voucherCode(voucher)}` },
  ]
}

async function attachmentsFor(about: About, baseUrl: string, logo: Buffer | null, now: Date): Promise<Attachment[]> {
  const url = ticketUrl(baseUrl, about.registration)
  const calendar = Buffer.from(calendarFile(about, url, now))
  return [
    { filename: 'ticket.pdf', content: await makePdf(about, baseUrl), contentType: 'application/pdf' },
    { filename: 'event.ics', content: calendar, contentType: 'text/calendar; charset=utf-8; method=PUBLISH' },
    { filename: 'ticket.png', content: await makePicture(url), contentType: 'image/png', cid: 'qr' },
    ...(await Promise.all(
      about.purchases.map(async (voucher) => ({
        filename: `voucher-${voucher.id}.png`,
        content: await makePicture(voucherUrl(baseUrl, voucher)),
        contentType: 'image/png',
        cid: `voucher-${voucher.id}`,
      })),
    )),
    ...(logo ? [{ filename: 'logo.png', content: logo, contentType: 'image/png', cid: 'logo' }] : []),
  ]
}

/** The mail that the event does not take place; null when it does after all, or the registration had been cancelled. */
export function eventCancelledMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, ({ registration, event, club, refunds }) =>
    registration.status === 'cancelled' || event.status !== 'cancelled'
      ? null
      : mailPage(`Cancelled: ${event.name}`, [
          { text: `Hello ${registration.name},` },
          { text: `we are sorry: ${event.name} has been cancelled. Your ticket is no longer needed.` },
          ...moneyParts(refunds),
          { lines: factsOf(event, club) },
          { text: 'If you have a question, just answer this mail.' },
        ]),
  )
}

/** The mail that the club has taken a registration back; null when it is confirmed again. */
export function registrationCancelledMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, ({ registration, event, club, refunds }) =>
    registration.status !== 'cancelled'
      ? null
      : mailPage(`Your registration was cancelled: ${event.name}`, [
          { text: `Hello ${registration.name},` },
          { text: `${club.name} has cancelled your registration for ${event.name}. Your ticket is no longer valid.` },
          ...moneyParts(refunds),
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

/** What goes back to the card, where something does. */
function moneyParts(refunds: Refunds): MailPart[] {
  const [latest] = refunds
  if (!latest) return []
  const sum = refunds.reduce((total, { amount }) => total + amount, 0)
  return [{ text: `${formatPrice(sum, latest.currency)} go back to the card you paid with, within a few days.` }]
}

/** The mail that money goes back; null when it does not. */
export function refundedMail(deps: Deps, row: MailRow): Promise<Words | null> {
  return mailAbout(deps, row, ({ registration, event, club, refunds }) => {
    const [latest] = refunds
    if (!latest) return null
    const isLate = latest.reason === 'too late'
    return mailPage(`Your money goes back: ${event.name}`, [
      { text: `Hello ${registration.name},` },
      ...(isLate
        ? [
            {
              text: `your payment for ${event.name} came after the time for it had ended, and the places were gone by then.`,
            },
          ]
        : []),
      {
        text: `${formatPrice(latest.amount, latest.currency)} of what you paid for ${event.name} go back to your card, within a few days.`,
      },
      {
        text:
          registration.status === 'confirmed'
            ? 'Your ticket stays valid.'
            : 'You have no place at the event with this payment.',
      },
      { lines: factsOf(event, club) },
      { text: 'If you have a question, just answer this mail.' },
    ])
  })
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
  const [event, club, purchases, refunds] = await Promise.all([
    findEvent(db, registration.eventId),
    findClub(db, registration.clubId),
    findPurchases(db, [registration.id]),
    findRefundsOf(db, registration.id, row.refundId),
  ])
  const page = event && club ? await words({ registration, event, club, purchases, refunds }) : null
  return page && { ...page, to: registration.email, replyTo: club?.email || null }
}
