import * as z from 'zod/mini'
import type { AttendeeRow, attendeeApi } from '../../contract/attendees.ts'
import type { Input, Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { id, line } from '../../contract/values/fields.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { shownTicket } from '../access/shown.ts'
import { findCodesOf } from '../codes/queries.ts'
import { grouped } from '../db/batched-lookup.ts'
import type { Db } from '../db/schema.ts'
import { pipeline } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { findSummaries } from '../payments/payment-queries.ts'
import { countPeople } from '../records/order-queries.ts'
import { toRegistration } from '../records/registration-queries.ts'
import { ticketTypesOf, typeOf } from '../records/ticket-type-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import { countAttendees, hasOtherFilters } from './count-queries.ts'
import { type AttendeeRecord, type Cursor, findAttendees, type Page, whatIsSold } from './queries.ts'
import { type FirstPage, findWithCounts } from './search-queries.ts'

const count = z.int().check(z.nonnegative())

type Asked = Input<typeof attendeeApi.getAttendees>

/** A page of an event's attendees. The cursor marks the end of the previous page, so that new rows do not shift pages. */
export async function listAttendees(
  { db }: Pick<Deps, 'db'>,
  caller: AdminCaller,
  event: OwnEvent,
  { cursor, limit, sortBy, eventId: _, ...filters }: Asked,
): Promise<Payload<typeof attendeeApi.getAttendees>> {
  const before = cursor === undefined ? null : readCursor(cursor, sortBy)
  // One more than asked for tells whether there is a next page.
  const wanted = { filters, sortBy, limit: limit + 1 }
  const [{ found, counts, total }, [types, [sold]]] = await Promise.all([
    before ? findNextPage(db, event, wanted, before) : findFirstPage(db, event, wanted),
    pipeline(db, [ticketTypesOf([event.id]), whatIsSold(event.id)]),
  ])
  const page = fitting(found.slice(0, limit))
  const last = page.at(-1)
  const ids = page.map(({ id }) => id)
  const [purchases, payments, codes, people] = await Promise.all([
    sold?.hasVouchers
      ? findPurchases(db, ids).then((all) => grouped(all, ({ registrationId }) => registrationId))
      : null,
    // The first payment of the event may have come meanwhile.
    sold?.hasPayments || page.some(({ amount }) => amount > 0) ? findSummaries(db, ids) : null,
    page.some(({ codeId }) => codeId !== null) ? findCodesOf(db, ids) : null,
    countPeople(
      db,
      page.map(({ orderId }) => orderId),
    ),
  ])
  return {
    attendees: page
      .map((row) =>
        toAttendeeRow(row, {
          extras: purchases?.get(row.id) ?? [],
          payment: payments?.get(row.id) ?? null,
          ticketType: typeOf(types, row),
          code: codes?.get(row.id) ?? null,
          peopleInOrder: (row.orderId !== null && people.get(row.orderId)) || 1,
        }),
      )
      .map((row) => shownTicket(caller, row)),
    total,
    counts,
    nextCursor: found.length > page.length && last ? writeCursor({ value: last.sortValue, id: last.id }, total) : null,
  }
}

/** The most characters of answers on a page. */
const MOST_TEXT = 4_000_000

/** The rows of a page up to the one whose answers make it too long, at least one. */
function fitting(rows: AttendeeRecord[]): AttendeeRecord[] {
  let length = 0
  const end = rows.findIndex(({ others }) => {
    for (const { question, answer } of others) length += question.length + answer.toString().length
    return length > MOST_TEXT
  })
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1))
}

type Wanted = Omit<Page, 'after'>

async function findFirstPage(db: Db, event: OwnEvent, { sortBy, ...wanted }: Wanted): Promise<FirstPage> {
  // A page sorted by check-in has two parts, each with its own order.
  const page =
    hasOtherFilters(wanted.filters) && sortBy !== 'checkin' && (await findWithCounts(db, event, { ...wanted, sortBy }))
  if (page) return page
  const [found, counted] = await Promise.all([
    findAttendees(db, event, { ...wanted, sortBy, after: null }),
    countAttendees(db, event, wanted.filters),
  ])
  return { found, ...counted }
}

/** Cursors carry the count, so that a list read to its end is counted once. */
async function findNextPage(db: Db, event: OwnEvent, wanted: Wanted, { after, total }: ReturnType<typeof readCursor>) {
  return { found: await findAttendees(db, event, { ...wanted, after }), counts: null, total }
}

/** What is read beside the rows of a page. */
type Beside = Pick<AttendeeRow, 'extras' | 'payment' | 'ticketType' | 'code' | 'peopleInOrder'>

function toAttendeeRow(row: AttendeeRecord, { extras, payment, ticketType, code, peopleInOrder }: Beside) {
  const { id: rId, checkinId, checkinTime, checkedInBy, checkinStatus, outSince, mail } = row
  const checkin =
    checkinId === null || checkinStatus === null
      ? null
      : { id: checkinId, registrationId: rId, status: checkinStatus, checkinTime, checkedInBy, outSince }
  return {
    rId,
    registration: toRegistration(row),
    ticketType,
    checkin,
    extras,
    mail,
    payment,
    code,
    peopleInOrder,
  }
}

function writeCursor({ value, id }: Cursor, total: number): string {
  return Buffer.from(JSON.stringify([value, id, total])).toString('base64url')
}

function readCursor(text: string, sortBy: Asked['sortBy']): { after: Cursor; total: number } {
  const moment = sortBy === 'checkin' ? /^-?\d{1,17}$/ : /^\d{1,17}$/
  const value = sortBy === 'name' ? line(1000) : z.string().check(z.regex(moment))
  const content = readJson(Buffer.from(text, 'base64url').toString('utf8'))
  const result = z.safeParse(z.tuple([value, id, count]), content)
  if (result.success) return { after: { value: result.data[0], id: result.data[1] }, total: result.data[2] }
  throw new Refusal('INVALID_INPUT', { fields: [{ path: 'cursor', msg: texts.firstPageAgain }] })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
