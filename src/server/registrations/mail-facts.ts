import { mapUrl } from '../../contract/event.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { spanLines } from '../../contract/values/dates.ts'
import { languageFor } from '../../contract/values/languages.ts'
import { toRequest } from '../../contract/wire.ts'
import * as texts from '../../texts/generated/mails.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import { batchedLookup, byId, grouped } from '../db/batched-lookup.ts'
import type { ClubRow, EventRow, MailRow, RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { readImage } from '../images/read-image.ts'
import type { Link, MailFrame, MailPart } from '../mail/mail-parts.ts'
import type { Attachment, Mail } from '../mail/mailer.ts'
import { findSummaries } from '../payments/payment-queries.ts'
import { receiptOf } from '../payments/receipt.ts'
import { findOrderKey, findRegistrationsOfOrder, type OrderKey } from '../records/order-queries.ts'
import { inHoldersWords } from '../records/own-words.ts'
import { findFormerHolders, findRegistrations, haveSameCodes } from '../records/registration-queries.ts'
import { readClub, readEvent } from '../records/shared-reads.ts'
import { readTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import type { TicketFacts } from '../tickets/shown-on-pdf.ts'

export type Words = Omit<Mail, 'messageId'>
export type MailWords = Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>

/** The data of a mail to an attendee. */
export interface About extends TicketFacts {
  row: MailRow
  event: EventRow
  club: ClubRow
}

const readRegistration = batchedLookup<number, RegistrationRow>(async (db, ids) =>
  byId(await findRegistrations(db, ids)),
)

const readPurchases = batchedLookup<number, ExtrasPurchase[]>(async (db, ids) =>
  grouped(await findPurchases(db, ids), ({ registrationId }) => registrationId),
)

const readSummary = batchedLookup(findSummaries)

/** Reads the data of a row's mail, with queries that all mails of a round share; null if the registration is gone or has no address. */
export async function findAbout(deps: Deps, row: MailRow): Promise<About | null> {
  const current = row.registrationId === null ? undefined : await readRegistration(deps.db, row.registrationId)
  const registration = current && (await asRecipient(deps, row, current))
  return !registration || registration.email === '' ? null : aboutOf(deps, row, registration)
}

/** The registration as its recipient had it: whoever had the ticket before is told of what was theirs, and learns nothing of who has it now. */
async function asRecipient({ db }: Deps, { recipient }: MailRow, current: RegistrationRow): Promise<RegistrationRow> {
  if (recipient === null) return current
  const holders = await findFormerHolders(db, [current.id])
  const former = holders.find(({ email }) => email === recipient) ?? holders[0]
  return { ...current, name: former?.name ?? '', email: recipient, phone: '', others: [], qrUuid: former?.qrUuid ?? '' }
}

async function aboutOf({ db }: Deps, row: MailRow, registration: RegistrationRow): Promise<About | null> {
  const [event, club, types = [], purchases = [], payment = null] = await Promise.all([
    readEvent(db, registration.eventId),
    readClub(db, registration.clubId),
    readTicketTypes(db, registration.eventId),
    readPurchases(db, registration.id),
    readSummary(db, registration.id),
  ])
  if (!event || !club) return null
  // With the vouchers' codes. If they have changed, another mail has the new ones, for whoever has the ticket now.
  const hasCodes = purchases.length > 0 && (row.kind === 'ticket' || row.kind === 'event changed')
  if (hasCodes && !(await haveSameCodes(db, [registration]))) return null
  const typeName = typeOf(types, registration)?.name ?? null
  const facts = inHoldersWords({ row, registration, event, club, typeName, purchases })
  // That of whoever paid, who gave the ticket to them.
  return {
    ...facts,
    receipt:
      registration.handedOnAt === null
        ? receiptOf(registration.amount, facts.purchases, payment, facts.typeName)
        : null,
  }
}

/**
 * The data for the rows of one mail: those for which `isStillTrue`, each registration once, by id. `told` has all those rows, also two of
 * one registration.
 */
export async function findAllAbout(
  deps: Deps,
  rows: readonly MailRow[],
  isStillTrue: (about: About) => boolean,
): Promise<{ first: About; all: About[]; told: MailRow[] } | null> {
  const found = await Promise.all(rows.map((row) => findAbout(deps, row)))
  const stillTrue = found.filter((about) => about !== null).filter(isStillTrue)
  // Joined with others of its former holder before it was handed on: its new holder has a mail of their own.
  const isElsewhere = ({ row, registration }: About) =>
    registration.handedOnAt !== null && registration.handedOnAt > row.createdAt
  const wanted = stillTrue.filter((about) => !isElsewhere(about))
  const all = wanted
    .filter(({ registration }, at) => wanted.findIndex((about) => about.registration.id === registration.id) === at)
    .sort((a, b) => a.registration.id - b.registration.id)
  const [first] = all
  return first ? { first, all, told: wanted.map(({ row }) => row) } : null
}

/** The orders of several people whose contacts are among these. */
export async function findOrderKeys(
  { db }: Deps,
  all: readonly About[],
): Promise<(OrderKey & { messageId: string })[]> {
  const contacts = all.filter(({ registration: { id, orderId } }) => id === orderId)
  const found = await Promise.all(
    contacts.map(async ({ row, registration }) => {
      const key = await findOrderKey(db, registration.id)
      return key && { ...key, messageId: row.messageId }
    }),
  )
  return found.filter((key) => key !== undefined)
}

/** The same with the other tickets of each order whose contact is among them: the contact's mail has them all. */
export async function withOrders(deps: Deps, all: readonly About[]): Promise<About[]> {
  const contacts = all.filter(({ registration: { id, orderId } }) => id === orderId)
  const found = await Promise.all(
    contacts.map(async ({ row, registration }) => {
      const others = await findRegistrationsOfOrder(deps.db, registration.id)
      const valid = others.filter(
        ({ id, status, handedOnAt }) =>
          status === 'confirmed' && handedOnAt === null && !all.some((about) => about.registration.id === id),
      )
      return Promise.all(valid.map((other) => aboutOf(deps, row, other)))
    }),
  )
  const added = found.flat().filter((about) => about !== null)
  return [...all, ...added].sort((a, b) => a.registration.id - b.registration.id)
}

/** The language of a mail to an attendee. */
export function mailLanguage({ registration, club }: About): Language {
  return languageFor(registration.language, club)
}

/** Adds the recipient and the reply address of a mail to an attendee. */
export function addressed(about: About, words: MailWords): Words {
  const { registration, club } = about
  const fromName = inLanguage(mailLanguage(about), () => texts.via({ club: club.name }))
  return { ...words, fromName, to: registration.email, replyTo: club.email || null }
}

/** The club as the sender of a mail, with its logo for the attachments. */
export async function frameOf(
  deps: Deps,
  { name, location, email, phone, website, colour, logo }: ClubRow,
): Promise<{ frame: MailFrame; pictures: Attachment[] }> {
  const content = logo === '' ? null : await readImage(deps, { kind: 'club-logo', file: logo }).catch(() => null)
  const frame = { sender: name, colour, contact: [location, email, phone, website] }
  if (!content) return { frame, pictures: [] }
  const picture = { filename: 'logo.png', content, contentType: 'image/png', cid: 'logo' }
  return { frame: { ...frame, picture: picture.cid }, pictures: [picture] }
}

/** How to reach the club about a mail; nothing where an answer would reach nobody. */
export function answerParts({ email, phone, website }: ClubRow, isMistake = false): MailPart[] {
  if (email !== '') return [{ text: isMistake ? texts.answerMistake() : texts.answerQuestion() }]
  const contact = phone || website
  if (contact === '') return []
  const text = isMistake ? texts.answerMistakeAt({ contact }) : texts.answerQuestionAt({ contact })
  return [{ text, address: contact }]
}

/** Time and place of the event, a line each. */
export function factsOf({ startsAt, endsAt, timeZone, location }: EventRow): string[] {
  const { day, times } = spanLines(startsAt, endsAt, timeZone)
  return [day, times, location].filter((fact) => fact !== '')
}

/** The links under the facts: to a map where the event has a place, and to the calendar file of a ticket. */
export function factLinks(baseUrl: string, { event, registration }: About): { links: Link[] } {
  const { id: registrationId, qrUuid } = registration
  const calendar = toRequest(ticketApi.getCalendarFile, { registrationId, qrUuid }).url
  return {
    links: [
      ...(event.location === '' ? [] : [{ words: texts.showMap(), url: mapUrl(event.location) }]),
      { words: texts.addToCalendar(), url: `${baseUrl}${calendar}` },
    ],
  }
}

/** The facts in one line, for what inboxes show beside the subject. */
export function previewOf(event: EventRow): string {
  return factsOf(event).join(' · ')
}
