import type { DoorWay } from '../../contract/door-money.ts'
import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { PaymentSummary } from '../../contract/registrations.ts'
import { decimalsOf } from '../../contract/values/money.ts'
import { formatPhone } from '../../contract/values/phones.ts'
import * as retentionTexts from '../../texts/generated/retention.ts'
import * as texts from '../../texts/generated/sheet.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { findCodesOf, hasUsedCodes } from '../codes/queries.ts'
import { grouped } from '../db/batched-lookup.ts'
import type { FormQuestionRow, TicketTypeRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findQuestionsEver } from '../forms/queries.ts'
import { findTaken } from '../payments/door-payment-queries.ts'
import { findSummaries } from '../payments/payment-queries.ts'
import { hasOrders } from '../records/order-queries.ts'
import { findTicketTypes, ownType } from '../records/ticket-type-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { makeInZone, timestamp } from '../sheets/times.ts'
import { type Cell, type Column, xlsxStream } from '../sheets/xlsx.ts'
import { findAnsweredQuestions, findAttendeeIds, findForSheet, type SheetRecord, type Wanted } from './queries.ts'

const PORTION = 1_000

/**
 * A spreadsheet of the wanted attendees of an event, streamed in portions, so that memory use does not grow with its size. Text stays text,
 * whatever it begins with.
 */
export async function attendeeSheet({ db, now }: Deps, event: OwnEvent, wanted: Wanted, language: Language) {
  const ever = await findQuestionsEver(db, event.id)
  const removed = ever.filter(({ removedAt }) => removedAt !== null)
  const answered = await findAnsweredQuestions(
    db,
    event,
    removed.map(({ id }) => id),
  )
  const questions = ever.filter(({ id, removedAt }) => removedAt === null || answered.has(id))

  const types = await findTicketTypes(db, event.id)
  const has = {
    types: types.length > 1,
    orders: await hasOrders(db, event.id),
    codes: await hasUsedCodes(db, event.id),
  }

  const inZone = makeInZone(event.timeZone)
  const { name, columns, words } = inLanguage(language, () => ({
    name: texts.attendees(),
    columns: columnsFor(questions, has),
    words: cellTexts(),
  }))
  const matching = await findAttendeeIds(db, event, wanted.filters)
  const chosen = wanted.ids && new Set(wanted.ids)
  const ids = chosen ? matching.filter((id) => chosen.has(id)) : matching

  async function* portions(): AsyncGenerator<Cell[][]> {
    for (let start = 0; start < ids.length; start += PORTION) {
      const found = ids.slice(start, start + PORTION)
      const { rows, sold } = await findForSheet(db, event, found)
      const [purchases, payments, taken, codes] = await Promise.all([
        sold?.hasVouchers ? findPurchases(db, found) : [],
        sold?.hasPayments ? findSummaries(db, found) : null,
        sold?.hasPayments ? findTaken(db, found) : null,
        has.codes ? findCodesOf(db, found) : null,
      ])
      const vouchers = grouped(purchases, ({ registrationId }) => registrationId)
      const sheet = { questions, inZone, words, types, has }
      yield rows.map((row) => {
        const { id } = row
        return toCells(row, sheet, {
          vouchers: vouchers.get(id) ?? [],
          payment: payments?.get(id) ?? null,
          taken: taken?.get(id) ?? null,
          code: codes?.get(id) ?? null,
        })
      })
    }
  }

  const content = xlsxStream({ name, columns, portions: portions() })
  return { name: `Attendee-report-event-${event.id}-${timestamp(now(), event.timeZone)}.xlsx`, content }
}

function columnsFor(questions: FormQuestionRow[], has: Has): Column[] {
  return [
    { header: texts.id(), width: 9 },
    { header: texts.name(), width: 28 },
    { header: texts.email(), width: 32 },
    { header: texts.phone(), width: 20 },
    ...(has.types ? [{ header: texts.ticket(), width: 20 }] : []),
    ...(has.orders ? [{ header: texts.order(), width: 9 }] : []),
    { header: texts.registered(), width: 17, format: 'date and time' },
    { header: texts.status(), width: 12 },
    { header: texts.checkin(), width: 12 },
    { header: texts.checkedInAt(), width: 17, format: 'date and time' },
    { header: texts.checkedInBy(), width: 22 },
    ...(has.codes
      ? [
          { header: texts.code(), width: 16 },
          { header: texts.discount(), width: 10, format: 'money' as const },
        ]
      : []),
    { header: texts.amount(), width: 10, format: 'money' },
    { header: texts.paid(), width: 10, format: 'money' },
    { header: texts.refunded(), width: 10, format: 'money' },
    { header: texts.net(), width: 10, format: 'money' },
    { header: texts.paidAt(), width: 17, format: 'date and time' },
    { header: texts.paidAtDoor(), width: 24 },
    { header: texts.currency(), width: 10 },
    { header: texts.vouchers(), width: 26 },
    { header: texts.redemption(), width: 14 },
    ...questions.map(({ text, removedAt }) => ({
      header: removedAt ? texts.removed({ question: text }) : text,
      width: 26,
    })),
  ]
}

/** The words in the cells, formatted once for all rows. */
const cellTexts = () => ({
  dataDeleted: retentionTexts.dataDeleted(),
  status: { pending: texts.notPaid(), confirmed: texts.confirmed(), cancelled: texts.cancelled() },
  way: { cash: texts.cash(), terminal: texts.terminal() },
  checkin: { in: texts.checkedIn(), notIn: texts.pending() },
  redemption: { all: texts.redeemed(), notAll: texts.notRedeemed() },
})

/** Which columns it has that only some events need. */
interface Has {
  /** Where the event has more than one ticket type. */
  types: boolean
  orders: boolean
  codes: boolean
}

interface Sheet {
  questions: FormQuestionRow[]
  inZone: (moment: Date) => Date
  words: ReturnType<typeof cellTexts>
  types: readonly TicketTypeRow[]
  has: Has
}

interface Bought {
  vouchers: ExtrasPurchase[]
  payment: PaymentSummary | null
  /** How it was paid at the door, and who took the money. */
  taken: { way: DoorWay; by: string } | null
  /** The code with which it was bought. */
  code: string | null
}

/** In the order of `columnsFor`. Without spreading objects or arrays, which took a sixth of an export (decision 43). */
function toCells(
  row: SheetRecord,
  { questions, inZone, words, types, has }: Sheet,
  { vouchers, payment, taken, code }: Bought,
): Cell[] {
  const inUnits = (amount: number) => amount / 10 ** decimalsOf(row.currency)
  const cells: Cell[] = [numberOf(row.id), row.name || words.dataDeleted, row.email, formatPhone(row.phone)]
  if (has.types) cells.push(ownType(types, row.ticketTypeId)?.name ?? null)
  if (has.orders) cells.push(row.orderId === null ? null : numberOf(row.orderId))
  cells.push(
    inZone(row.registrationTime),
    words.status[row.status],
    row.checkinStatus ? words.checkin.in : words.checkin.notIn,
    row.checkinTime && inZone(row.checkinTime),
    row.checkedInBy,
  )
  if (has.codes) cells.push(code, row.codeId === null ? null : inUnits(row.discount))
  cells.push(
    // Empty for amounts that were never paid, so that the column can be added up.
    payment || row.status === 'confirmed' ? inUnits(row.amount) : null,
    payment && inUnits(payment.paid),
    payment && inUnits(payment.refunded),
    payment && inUnits(payment.paid - payment.refunded - payment.lost),
    payment && inZone(payment.paidAt),
    taken && `${words.way[taken.way]}, ${taken.by}`,
    row.currency.toUpperCase(),
    vouchers.length === 0 ? null : countedNames(vouchers),
    vouchers.length === 0
      ? null
      : vouchers.every(({ status }) => status)
        ? words.redemption.all
        : words.redemption.notAll,
  )
  for (const { id } of questions) {
    const answer = row.others.find(({ qId }) => qId === id)?.answer ?? null
    cells.push(Array.isArray(answer) ? answer.join(', ') : answer)
  }
  return cells
}

/** As it is shown in the list, too. */
function numberOf(id: number): string {
  return String(id).padStart(5, '0')
}

/** `2 × Drinks, Dinner`. */
function countedNames(vouchers: readonly ExtrasPurchase[]): string {
  const counts = new Map<string, number>()
  for (const { name } of vouchers) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(', ')
}
