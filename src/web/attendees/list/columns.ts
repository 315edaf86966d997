import type { AttendeeRow, sortOrders } from '../../../contract/attendees.ts'
import type { FormQuestion } from '../../../contract/forms.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import type { Message } from '../../../texts/language.ts'
import { breakpoints } from '../../ui/breakpoints.ts'

/** A column of the list that can be shown or hidden. */
export interface Column {
  id: string
  title: Message
  /** The least width in px with which it can be read. */
  width: number
  /** The order that its head sorts by. */
  sort?: (typeof sortOrders)[number]
}

/** Always shown. */
export const nameColumn = { id: 'name', title: texts.columnName, width: 114, sort: 'name' } as const satisfies Column
export const checkinColumn = {
  id: 'checkin',
  title: texts.columnCheckin,
  width: 140,
  sort: 'checkin',
} as const satisfies Column

const ticket: Column = { id: 'ticket', title: texts.columnTicket, width: 110 }
const paid: Column = { id: 'paid', title: texts.columnPaid, width: 112 }
const vouchers: Column = { id: 'vouchers', title: texts.columnVouchers, width: 126 }
const order: Column = { id: 'order', title: texts.columnOrder, width: 104 }
const others: Column[] = [
  { id: 'email', title: texts.columnEmail, width: 180 },
  { id: 'phone', title: texts.columnPhone, width: 135 },
  { id: 'registered', title: texts.columnRegistered, width: 118, sort: 'registration' },
  { id: 'id', title: texts.columnId, width: 56 },
  { id: 'mail', title: texts.columnMail, width: 90 },
]

interface Known {
  /** Whether the event has several ticket types. */
  hasTypes: boolean
  hasPrice: boolean
  hasVouchers: boolean
  /** Whether several people were registered together. */
  hasOrders: boolean
  questions: readonly FormQuestion[]
}

/** The columns from which staff can choose; those about ticket types, money, vouchers and orders only where there are any. */
export function columnsFor({ hasTypes, hasPrice, hasVouchers, hasOrders, questions }: Known): Column[] {
  return [
    ...(hasTypes ? [ticket] : []),
    ...(hasPrice ? [paid] : []),
    ...(hasVouchers ? [vouchers] : []),
    ...(hasOrders ? [order] : []),
    ...others,
    ...questions.map(({ id, text }) => ({ id: `q${id}`, title: () => text, width: 120 })),
  ]
}

const STANDARD = ['ticket', 'paid', 'vouchers', 'email', 'order', 'registered', 'phone', 'id']
const ON_CARDS = ['ticket', 'paid', 'vouchers', 'order', 'email']

/** The columns shown until somebody chooses: as many of the most important ones as fit into this width; null is that of cards. */
export function standardColumns(columns: readonly Column[], width: number | null): readonly string[] {
  if (width === null) return ON_CARDS
  const standard = STANDARD.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  return standard.filter((_, index) => fits(standard.slice(0, index + 1), width)).map(({ id }) => id)
}

/**
 * How wide the list is on a screen of this width, of which `inside` is left beside a scroll bar, all in px; null where it is one of cards.
 * See `.page.wide` in the style sheets.
 */
export function listWidthOn(screen: number, inside = screen): number | null {
  if (screen < breakpoints.sm) return null
  const edge = Math.min(40, screen * 0.04)
  return Math.floor(Math.min(1440, screen >= breakpoints.lg ? inside - 224 - 64 : inside - 2 * edge))
}

/** Whether a table with these columns fits into this width, in px; if not, the list is one of cards. */
export function fits(columns: readonly Column[], width: number): boolean {
  const all = [nameColumn, checkinColumn, ...columns]
  const [box, gap, sides] = [40, 16, 29]
  return all.reduce((sum, column) => sum + column.width + gap, box + sides) <= width
}

/** Whether somebody has paid, or has something to pay. */
export function isAboutMoney({ registration, payment }: Pick<AttendeeRow, 'registration' | 'payment'>): boolean {
  return payment !== null || registration.amount > 0
}
