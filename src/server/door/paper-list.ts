import { Readable } from 'node:stream'
import { Refusal } from '../../contract/errors.ts'
import { formatDate, formatSpan, formatTime } from '../../contract/values/dates.ts'
import { formatAmount } from '../../contract/values/money.ts'
import { shortCode } from '../../contract/values/ticket-codes.ts'
import * as texts from '../../texts/generated/pdf.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import { formatNumber, localeOf } from '../../texts/numbers.ts'
import { type AdminCaller, may } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Deps } from '../deps.ts'
import { readTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { listForStaff } from '../tickets/maker.ts'
import { PAGE, PAGES, type ShownList } from '../tickets/shown-list.ts'
import { findForPaper, type PaperRow } from './queries.ts'

/** More are no list for a clipboard: it would have more than 150 pages. */
const MOST = 5_000

interface Wanted {
  language: Language
  closed: AbortSignal
}

/**
 * The event's attendees on paper, by name, for when neither phone nor power works. Vouchers that are used up are left out. Refuses with NOT_FOUND when there is nobody, and with
 * INVALID_INPUT when there are more than 5,000.
 */
export async function paperList({ db, now }: Deps, caller: AdminCaller, event: OwnEvent, { language, closed }: Wanted) {
  const [rows, types = []] = await Promise.all([findForPaper(db, event.id, MOST + 1), readTicketTypes(db, event.id)])
  if (rows.length === 0) throw new Refusal('NOT_FOUND')
  if (rows.length > MOST)
    throw new Refusal('INVALID_INPUT', { msg: () => texts.tooManyForPaper({ count: formatNumber(MOST) }) })
  // The short code is the beginning of the ticket's secret, and is accepted at the door.
  const codeOf = may(caller, 'attendees') ? shortCode : ({ id }: PaperRow) => String(id)
  const shown = inLanguage(language, () => shownList(event, rows, { at: now(), language, codeOf, types }))
  const content = await listForStaff(shown, `club ${event.clubId}`, closed)
  return { name: `attendees-${event.id}.pdf`, content: Readable.from([content]) }
}

interface ListOptions {
  at: Date
  language: Language
  codeOf: (row: PaperRow) => string
  types: Parameters<typeof typeOf>[0]
}

function shownList(
  event: OwnEvent,
  rows: readonly PaperRow[],
  { at, language, codeOf, types }: ListOptions,
): ShownList {
  const { name, startsAt, endsAt, timeZone, location } = event
  const { compare } = new Intl.Collator(localeOf(language))
  const people = rows
    .map((row) => ({ name: row.name, code: codeOf(row), note: noteOf(row, typeOf(types, row)?.name), isIn: row.isIn }))
    .sort((a, b) => compare(a.name, b.name))
  return {
    ...{ language, name, people },
    title: texts.listTitle({ event: name }),
    when: [formatSpan(startsAt, endsAt, timeZone), location].filter((part) => part !== '').join(' · '),
    count: texts.listCount({
      count: people.length,
      date: formatDate(at, timeZone),
      time: formatTime(at, timeZone),
    }),
    footer: texts.listPage({ event: name, page: PAGE, pages: PAGES }),
  }
}

/** The type of the ticket where there are several, what is to be paid, and the vouchers. */
function noteOf({ status, amount, currency, vouchers }: PaperRow, type: string | undefined): string {
  const due = status === 'pending' && amount > 0 ? [texts.listUnpaid({ amount: formatAmount(amount, currency) })] : []
  const bought = new Map<string, number>()
  const begun: string[] = []
  for (const { name, left, count } of vouchers)
    if (left === count) bought.set(name, (bought.get(name) ?? 0) + 1)
    else begun.push(texts.listLeft({ name, left, count }))
  const whole = [...bought].map(([name, count]) => (count > 1 ? `${count} × ${name}` : name))
  return [...(type === undefined ? [] : [type]), ...due, ...whole, ...begun].join(' · ')
}
