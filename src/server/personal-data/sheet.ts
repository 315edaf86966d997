import type { PersonalRecord } from '../../contract/personal-data.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/personalData.ts'
import * as sheetTexts from '../../texts/generated/sheet.ts'
import { inLanguage, isLanguage, type Language } from '../../texts/language.ts'
import { nameOfLanguage } from '../../texts/numbers.ts'
import type { OwnClub } from '../access/own-club.ts'
import { readTimeline } from '../attendees/timeline.ts'
import type { RegistrationRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findSummaries } from '../payments/payment-queries.ts'
import { findCheckins } from '../records/checkin-queries.ts'
import { findFormerHolders, findRegistrations } from '../records/registration-queries.ts'
import { findTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { timestamp } from '../sheets/times.ts'
import { type Cell, xlsxStream } from '../sheets/xlsx.ts'
import { findNoted, findRecordsByIds } from './queries.ts'
import { readKeys } from './records.ts'

/** One fact: what it is, and how it is. */
type Fact = [what: string, value: string | null]

/** A spreadsheet for a person with all that the club keeps in these records, one fact in a row. */
export async function personSheet(deps: Deps, club: OwnClub, keys: readonly string[], language: Language) {
  const { db, now } = deps
  const ids = readKeys(keys)
  const records = await findRecordsByIds(db, club, now(), ids)
  const found = readKeys(records.map(({ key }) => key))
  const held = found.holders.map(({ registrationId }) => registrationId)
  const registrations = await findRegistrations(db, [...new Set([...found.registrations, ...held])])
  const sources = await readSources(deps, registrations)
  const noted = await findNoted(db, found.conflicts)
  const rows: Cell[][] = []
  for (const record of records) {
    const { registrations: own, holders } = readKeys([record.key])
    const id = own[0] ?? holders[0]?.registrationId
    const registration = registrations.find((each) => each.id === id)
    const facts = registration ? await factsOf(deps, registration, record, { ...sources, language }) : []
    const answers = noted.filter(({ key }) => key === record.key).map(answerOf)
    rows.push(
      ...inLanguage(language, () =>
        [...personOf(record), ...facts, ...answers]
          .filter(([, value]) => value !== null && value !== '')
          .map(([what, value]) => [record.eventName, what, value]),
      ),
    )
  }
  const { name, columns } = inLanguage(language, () => ({
    name: texts.sheetName(),
    columns: [
      { header: texts.event(), width: 30 },
      { header: texts.what(), width: 32 },
      { header: texts.value(), width: 60 },
    ],
  }))
  async function* portions() {
    yield rows
  }
  const content = xlsxStream({ name, columns, portions: portions() })
  return { name: `Personal-data-${timestamp(now(), club.timeZone)}.xlsx`, content }
}

function personOf({ kind, name, email, phone, at, timeZone, status }: PersonalRecord): Fact[] {
  if (kind === 'code') return [[texts.noteOfCode(), name]]
  const when = { registration: sheetTexts.registered, holder: texts.gaveAway, conflict: texts.cameToDoor }[kind]
  const states = { pending: sheetTexts.notPaid, confirmed: sheetTexts.confirmed, cancelled: sheetTexts.cancelled }
  return [
    [sheetTexts.name(), name],
    [sheetTexts.email(), email],
    [sheetTexts.phone(), phone],
    [when(), formatMoment(at, timeZone)],
    [sheetTexts.status(), status && states[status]()],
  ]
}

/** What is read of all registrations at once. */
async function readSources({ db }: Deps, registrations: readonly RegistrationRow[]) {
  const ids = registrations.map(({ id }) => id)
  const eventIds = [...new Set(registrations.map(({ eventId }) => eventId))]
  const [payments, checkins, purchases, former, types] = await Promise.all([
    findSummaries(db, ids),
    findCheckins(db, ids),
    findPurchases(db, ids),
    findFormerHolders(db, ids),
    Promise.all(eventIds.map((eventId) => findTicketTypes(db, eventId))),
  ])
  return { payments, checkins, purchases, former, types: types.flat() }
}

type Sources = Awaited<ReturnType<typeof readSources>>

/** All that is kept of a registration's holder, or of whoever gave it to somebody else: what happened while it was theirs. */
async function factsOf(
  { db }: Deps,
  registration: RegistrationRow,
  { kind, at: until, timeZone }: PersonalRecord,
  { language, ...sources }: Sources & { language: Language },
): Promise<Fact[]> {
  const handOns = sources.former
    .filter(({ registrationId }) => registrationId === registration.id)
    .map(({ handedOnAt }) => handedOnAt)
  const isPresent = kind === 'registration'
  // When they got it from somebody else; the latest come first.
  const since = handOns.find((handedOnAt) => isPresent || handedOnAt < until) ?? null
  // Who else had the ticket is no fact about this person.
  const all = await readTimeline(db, registration, language, false)
  const timeline = all.filter(({ at }) => (since === null || at > since) && (isPresent || at <= until))
  return inLanguage(language, () => [
    ...(isPresent ? ticketFacts(registration, timeZone, sources) : []),
    // Paid by whoever had the ticket first.
    ...(since === null ? moneyFacts(registration, timeZone, sources) : []),
    ...timeline.map(({ at, text }): Fact => [formatMoment(at, timeZone), text]),
  ])
}

function moneyFacts({ id, amount, currency }: RegistrationRow, timeZone: string, { payments }: Sources): Fact[] {
  const payment = payments.get(id)
  return [
    [sheetTexts.amount(), amount === 0 ? null : formatPrice(amount, currency)],
    [sheetTexts.paid(), payment ? formatPrice(payment.paid, payment.currency) : null],
    [sheetTexts.paidAt(), payment ? formatMoment(payment.paidAt, timeZone) : null],
    [sheetTexts.refunded(), payment && payment.refunded > 0 ? formatPrice(payment.refunded, payment.currency) : null],
  ]
}

function ticketFacts(
  registration: RegistrationRow,
  timeZone: string,
  { checkins, purchases, types: all }: Sources,
): Fact[] {
  const { id, eventId, others, orderId, language: written } = registration
  const checkin = checkins.find(({ registrationId }) => registrationId === id)
  const vouchers = purchases.filter(({ registrationId }) => registrationId === id)
  const types = all.filter((type) => type.eventId === eventId)
  const come = checkin?.status && checkin.checkinTime
  return [
    [sheetTexts.id(), String(id)],
    [sheetTexts.order(), orderId === null ? null : String(orderId)],
    [sheetTexts.ticket(), typeOf(types, registration)?.name ?? null],
    [texts.writtenIn(), isLanguage(written) ? nameOfLanguage(written) : null],
    ...others.map(answerOf),
    [sheetTexts.checkedInAt(), come ? formatMoment(come, timeZone) : null],
    ...vouchers.map(
      ({ name, content }): Fact => [
        texts.voucher({ name }),
        content.map((unit) => texts.unit({ ...unit, count: unit.quantity })).join(', '),
      ],
    ),
  ]
}

const answerOf = ({ question, answer }: { question: string; answer: string | string[] }): Fact => [
  question,
  [answer].flat().join(', '),
]

function formatMoment(at: Date, timeZone: string): string {
  return `${formatDate(at, timeZone)} ${formatTime(at, timeZone)}`
}
