import type { AttendeeRow, sortOrders } from '../../../contract/attendees.ts'
import type { FormQuestion } from '../../../contract/forms.ts'

/** A column of the list that can be shown or hidden. */
export interface Column {
  id: string
  title: string
  /** The least width in px with which it can be read. */
  width: number
  /** The order that its head sorts by. */
  sort?: (typeof sortOrders)[number]
}

/** Always shown. */
export const nameColumn = { id: 'name', title: 'Name', width: 130, sort: 'name' } as const satisfies Column
export const checkinColumn = { id: 'checkin', title: 'Check-in', width: 110, sort: 'checkin' } as const satisfies Column

const paid: Column = { id: 'paid', title: 'Paid', width: 105 }
const vouchers: Column = { id: 'vouchers', title: 'Vouchers', width: 90 }
const others: Column[] = [
  { id: 'email', title: 'E-mail', width: 150 },
  { id: 'phone', title: 'Phone', width: 115 },
  { id: 'registered', title: 'Registered', width: 95, sort: 'registration' },
  { id: 'id', title: 'Id', width: 56 },
  { id: 'mail', title: 'Mail', width: 90 },
]

interface Known {
  hasPrice: boolean
  hasVouchers: boolean
  questions: readonly FormQuestion[]
}

/** The columns from which staff can choose; those about money and vouchers only where there are any. */
export function columnsFor({ hasPrice, hasVouchers, questions }: Known): Column[] {
  return [
    ...(hasPrice ? [paid] : []),
    ...(hasVouchers ? [vouchers] : []),
    ...others,
    ...questions.map(({ id, text }) => ({ id: `q${id}`, title: text, width: 120 })),
  ]
}

/** The columns shown until somebody chooses; a phone has room for fewer. */
export const standardColumns = (isWide: boolean): readonly string[] =>
  isWide ? ['paid', 'vouchers', 'email', 'phone', 'registered', 'id'] : ['paid', 'vouchers', 'email']

/** Whether a table with these columns fits into this width, in px; if not, the list is one of cards. */
export function fits(columns: readonly Column[], width: number): boolean {
  const all = [nameColumn, checkinColumn, ...columns]
  const [box, gap, sides] = [40, 12, 29]
  return all.reduce((sum, column) => sum + column.width + gap, box + sides) <= width
}

/** Whether somebody has paid, or has something to pay. */
export function isAboutMoney({ registration, payment }: Pick<AttendeeRow, 'registration' | 'payment'>): boolean {
  return payment !== null || registration.amount > 0
}
