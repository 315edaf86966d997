import * as z from 'zod/mini'
import type { TimelineEntry } from '../../contract/attendees.ts'
import { type DoorWay, doorWay } from '../../contract/door-money.ts'
import { Refusal } from '../../contract/errors.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/timeline.ts'
import { inLanguage, type Language, type Message } from '../../texts/language.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Db, FormerHolderRow, MailRow, RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findFormerHolders, findRegistration } from '../records/registration-queries.ts'
import { listChangesOf, listMailsOf } from '../registrations/queries.ts'

/** The history of a registration of the event, latest first: its own changes, check-ins, and mails in their current state. */
export async function timelineOf(
  { db }: Deps,
  event: OwnEvent,
  registrationId: number,
  language: Language,
): Promise<TimelineEntry[]> {
  const registration = await findRegistration(db, registrationId)
  if (registration?.eventId !== event.id) throw new Refusal('NOT_FOUND')
  return readTimeline(db, registration, language)
}

/** The same for a registration that has been read. It names others who had the ticket, except where it is for its holder alone. */
export async function readTimeline(
  db: Db,
  registration: RegistrationRow,
  language: Language,
  namesOthers = true,
): Promise<TimelineEntry[]> {
  const { id, openedAt } = registration
  const [logged, mails, former] = await Promise.all([
    listChangesOf(db, registration),
    listMailsOf(db, id),
    namesOthers ? findFormerHolders(db, [id]) : [],
  ])
  const changes = withFirst(registration, logged)
  const handOns = handOnsOf(registration, former, changes)
  return inLanguage(language, () => entriesOf({ openedAt, changes, mails, handOns }))
}

type Changes = Awaited<ReturnType<typeof listChangesOf>>
type Mails = Awaited<ReturnType<typeof listMailsOf>>

/** The logged changes, latest first, with the registration itself as the oldest. It is not logged if a visitor made it without a code. */
function withFirst({ registrationTime }: RegistrationRow, logged: Changes): Changes {
  if (logged.some(({ subject, action }) => subject === 'registration' && action === 'registered')) return logged
  return [...logged, { at: registrationTime, subject: 'registration', action: 'registered', after: null, by: null }]
}

/** Who gave a ticket to whom, and when; no names where they have been deleted. */
interface HandOn {
  at: Date
  from: string | undefined
  to: string | undefined
}

interface Happened {
  openedAt: Date | null
  changes: Changes
  mails: Mails
  handOns: readonly HandOn[]
}

function entriesOf({ openedAt, changes, mails, handOns }: Happened): TimelineEntry[] {
  const entryOf = ({ at, subject, action, by, after }: Changes[number]): TimelineEntry => ({
    at,
    kind: subject === 'checkin' ? 'checkin' : 'registration',
    text: action === 'handed on' ? handedOnText(handOns, at) : wordsFor(subject, action, after),
    by,
  })
  const first = changes.at(-1)
  const entries: TimelineEntry[] = [
    ...(openedAt ? [{ at: openedAt, kind: 'mail' as const, text: texts.pageOpened(), by: null }] : []),
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

const checkinTexts: Readonly<Record<string, Message>> = {
  undone: texts.checkinUndone,
  'checked in from paper': texts.checkedInFromPaper,
  'let in against the list': texts.letInAgainst,
  'went out': texts.wentOut,
  'came back': texts.cameBack,
  'exit undone': texts.exitUndone,
  'return undone': texts.returnUndone,
}

const actionTexts: Readonly<Record<string, Message>> = {
  registered: texts.registered,
  added: texts.added,
  confirmed: texts.confirmed,
  'confirmed with the order': texts.confirmedWithOrder,
  cancelled: texts.cancelled,
  paid: texts.paid,
  'hold ended': texts.holdEnded,
  'given back': texts.givenBack,
  'ticket sent again': texts.ticketSentAgain,
  'data deleted': texts.dataDeleted,
  'voucher given out against the list': texts.voucherAgainst,
}

const fieldTexts: Readonly<Record<string, Message>> = {
  name: texts.name,
  email: texts.email,
  phone: texts.phone,
  others: texts.answers,
}

/** The hand-ons, the latest first. A name that was corrected afterwards is not the one that was given. */
function handOnsOf({ name }: RegistrationRow, former: readonly FormerHolderRow[], changes: Changes): HandOn[] {
  return former.map(({ handedOnAt, name: from }, at) => {
    const next = former[at - 1]
    const isRenamed = changes.some(
      (change) =>
        change.at > handedOnAt && !(next && change.at > next.handedOnAt) && correctedFields(change).includes('name'),
    )
    return { at: handedOnAt, from, to: isRenamed ? undefined : (next?.name ?? name) }
  })
}

/** The fields that a correction changed; none for another change. */
function correctedFields({ action, after }: Pick<Changes[number], 'action' | 'after'>): string[] {
  if (action !== 'corrected' || typeof after !== 'object' || after === null || !('fields' in after)) return []
  return Array.isArray(after.fields) ? after.fields.map(String) : []
}

function handedOnText(handOns: readonly HandOn[], at: Date): string {
  const { from, to } = handOns.find((each) => each.at.getTime() === at.getTime()) ?? {}
  return from && to ? texts.handedOnFromTo({ from, to }) : texts.handedOn()
}

function wordsFor(subject: string, action: string, after: unknown): string {
  if (subject === 'checkin') return (checkinTexts[action] ?? texts.checkedIn)()
  const note = noteOf(action, after)
  if (note) return note
  // Actions that were logged by another version are shown as they are.
  if (action !== 'corrected') return actionTexts[action]?.() ?? `${action.charAt(0).toUpperCase()}${action.slice(1)}`
  const fields = correctedFields({ action, after })
  return texts.corrected({ fields: fields.map((field) => fieldTexts[field]?.() ?? '').join(', ') })
}

/** The text for a refund, or for units redeemed, taken back or given out by staff; null for other changes. */
function noteOf(action: string, after: unknown): string | null {
  if (typeof after !== 'object' || after === null) return null
  if (action === 'refund') return texts.refundAsked()
  const used = action === 'registered' ? z.safeParse(loggedCode, after).data : undefined
  if (used)
    return used.discount > 0
      ? texts.registeredForLess({ code: used.code, amount: formatPrice(used.discount, used.currency) })
      : texts.registeredWithCode({ code: used.code })
  const taken = z.safeParse(loggedMoney, after).data
  if (taken && action in moneyTexts)
    return moneyTexts[action]?.({ way: taken.way, amount: formatPrice(taken.amount, taken.currency) }) ?? null
  const logged = z.safeParse(loggedUnits, after).data
  if (!logged) return null
  const units = logged.units.map(({ name, count }) => `${count} × ${name}`).join(', ')
  if (action === 'vouchers given') return texts.vouchersGiven({ units })
  return action === 'redemption undone' ? texts.redemptionUndone({ units }) : texts.redeemed({ units })
}

const loggedCode = z.object({ code: z.string(), discount: z.number(), currency: z.string() })
const loggedMoney = z.object({ way: doorWay, amount: z.number(), currency: z.string() })
const moneyTexts: Readonly<Record<string, (values: { way: DoorWay; amount: string }) => string>> = {
  'paid at the door': texts.paidAtDoor,
  'payment at the door undone': texts.doorPaymentUndone,
}
const loggedUnits = z.object({ units: z.array(z.object({ name: z.string(), count: z.number() })) })

const kinds: Readonly<Record<MailRow['kind'], Message>> = {
  ticket: texts.ticket,
  'event changed': texts.eventChanged,
  'event cancelled': texts.eventCancelled,
  'registration cancelled': texts.registrationCancelled,
  'place given back': texts.placeGivenBack,
  'email changed': texts.emailChanged,
  'confirm address': texts.confirmAddress,
  'password reset': texts.passwordLink,
  invitation: texts.invitation,
  'second factor reset': texts.factorReset,
  'second factor on': texts.factorReset,
  'second factor off': texts.factorReset,
  'recovery codes made': texts.factorReset,
  'passkey added': texts.factorReset,
  'passkey removed': texts.factorReset,
  'code app added': texts.factorReset,
  'code app removed': texts.factorReset,
  'API token made': texts.tokenMade,
  refunded: texts.refunded,
  'ticket handed on': texts.ticketHandedOn,
}

function stateOf({ kind, status, lastError, attempts }: MailRow): string {
  const what = kinds[kind]()
  if (status === 'sent') return texts.mailSent({ what })
  if (status === 'held') return texts.mailHeld({ what })
  if (status === 'dropped') return texts.mailDropped({ what })
  if (status === 'failed')
    return lastError ? texts.mailFailed({ what, reason: lastError }) : texts.mailFailedUnknown({ what })
  return attempts > 0 && lastError ? texts.mailRetry({ what, reason: lastError }) : texts.mailWaits({ what })
}
