import * as z from 'zod/mini'
import type { TimelineEntry } from '../../contract/attendees.ts'
import { Refusal } from '../../contract/errors.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findRegistration } from '../records/registration-queries.ts'
import { listChangesOf, listMailsOf } from '../registrations/queries.ts'

/** The history of a registration of the event, latest first: its own changes, check-ins, and mails in their current state. */
export async function timelineOf({ db }: Deps, event: OwnEvent, registrationId: number): Promise<TimelineEntry[]> {
  const registration = await findRegistration(db, registrationId)
  if (registration?.eventId !== event.id) throw new Refusal('NOT_FOUND')
  const [changes, mails] = await Promise.all([listChangesOf(db, registration), listMailsOf(db, registrationId)])
  const { openedAt } = registration
  const entryOf = ({ at, subject, action, by, after }: (typeof changes)[number]): TimelineEntry => ({
    at,
    kind: subject === 'checkin' ? 'checkin' : 'registration',
    text: wordsFor(subject, action, after),
    by,
  })
  const first = changes.at(-1)
  const entries: TimelineEntry[] = [
    ...(openedAt ? [{ at: openedAt, kind: 'mail' as const, text: 'Ticket page last opened', by: null }] : []),
    ...changes.slice(0, -1).map(entryOf),
    ...mails.map((mail) => ({
      // Queued with the registration, and never listed as earlier.
      at: new Date(Math.max((mail.sentAt ?? mail.createdAt).getTime(), first?.at.getTime() ?? 0)),
      kind: 'mail' as const,
      text: stateOf(mail),
      by: null,
    })),
    ...(first ? [entryOf(first)] : []),
  ]
  // At the same moment in this order.
  return entries.sort((a, b) => b.at.getTime() - a.at.getTime())
}

const checkinWords: Readonly<Record<string, string>> = {
  undone: 'Check-in undone',
  'let in against the list': 'Let in by a phone without network, against the list',
}

function wordsFor(subject: string, action: string, after: unknown): string {
  if (subject === 'checkin') return checkinWords[action] ?? 'Checked in'
  const note = noteOf(action, after)
  if (note) return note
  if (action !== 'corrected') return `${action.charAt(0).toUpperCase()}${action.slice(1)}`
  const fields =
    typeof after === 'object' && after !== null && 'fields' in after && Array.isArray(after.fields) ? after.fields : []
  const names: Readonly<Record<string, string>> = { name: 'name', email: 'e-mail', phone: 'phone', others: 'answers' }
  return `Corrected: ${fields.map((field) => names[String(field)] ?? '').join(', ')}`
}

/** The text for a refund, or for units redeemed or taken back; null for other changes. */
function noteOf(action: string, after: unknown): string | null {
  if (typeof after !== 'object' || after === null) return null
  if (action === 'refund') return 'Refund asked for'
  if (!('units' in after) || !Array.isArray(after.units)) return null
  const units = after.units.map((unit: unknown) => unitWords.parse(unit)).map(({ name, count }) => `${count} × ${name}`)
  return `${action === 'redemption undone' ? 'Redemption undone' : 'Redeemed'}: ${units.join(', ')}`
}

const unitWords = z.object({ name: z.string(), count: z.number() })

const kinds: Readonly<Record<MailRow['kind'], string>> = {
  ticket: 'Ticket',
  'event changed': 'News of the changed time or place',
  'event cancelled': 'News of the cancelled event',
  'registration cancelled': 'News of the cancellation',
  'place given back': 'News for the club',
  'email changed': '',
  'password reset': 'Link for a password',
  refunded: 'News of the refund',
}

function stateOf({ kind, status, lastError, attempts }: MailRow): string {
  const what = kinds[kind]
  if (status === 'sent') return `${what} sent by mail`
  if (status === 'held') return `${what} not sent: too many mails to this address in one day`
  if (status === 'dropped') return `${what} not needed any more`
  if (status === 'failed') return `${what} could not be sent: ${lastError ?? 'no reason given'}`
  return attempts > 0 && lastError ? `${what} waits for another try: ${lastError}` : `${what} waits to be sent`
}
