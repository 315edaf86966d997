import type { AttendeeCounts } from '../../contract/attendees.ts'
import * as texts from '../../texts/generated/attendees.ts'
import type { AttendeeSearch } from './attendee-filters.ts'

type Filters = Pick<AttendeeSearch, 'status' | 'checkin'>

export interface StatusTab {
  name: string
  filters: Filters
  /** Null while it is not known. */
  count: number | null
  isCurrent: boolean
}

interface Options {
  current: Filters
  /** Null while they are loading. */
  counts: AttendeeCounts | null
  /** How many match the filters of the address. */
  total: number | null
  /** Whether somebody may still have to pay. */
  hasPrice: boolean
}

/**
 * The tabs above the list: all, and the four states, each attendee in exactly one of them. An address with filters that no tab has, such
 * as an old link, gets a tab of its own.
 */
export function statusTabs({ current, counts, total, hasPrice }: Options): StatusTab[] {
  const all = counts && counts.notIn + counts.in + counts.pending + counts.cancelled
  const tabs: StatusTab[] = [
    tab(texts.all(), {}, all),
    tab(texts.notIn(), { status: 'confirmed', checkin: 'false' }, counts?.notIn),
    tab(texts.isIn(), { status: 'confirmed', checkin: 'true' }, counts?.in),
    tab(texts.notPaid(), { status: 'pending' }, counts?.pending),
    tab(texts.cancelledTab(), { status: 'cancelled' }, counts?.cancelled),
  ]
  function tab(name: string, filters: Partial<Filters>, count: number | null = null): StatusTab {
    const isCurrent = filters.status === current.status && filters.checkin === current.checkin
    return { name, filters: { status: undefined, checkin: undefined, ...filters }, count, isCurrent }
  }
  const shown = tabs.filter(
    ({ filters, count, isCurrent }) => filters.status !== 'pending' || hasPrice || isCurrent || count,
  )
  if (shown.some(({ isCurrent }) => isCurrent)) return shown
  return [{ name: nameOf(current), filters: current, count: total, isCurrent: true }, ...shown]
}

const statusNames = { pending: texts.notPaid, confirmed: texts.confirmed, cancelled: texts.cancelled } as const

function nameOf({ status, checkin }: Filters): string {
  if (checkin === undefined) return statusNames[status ?? 'confirmed']()
  const about = { status: status ? statusNames[status]() : texts.anyStatus() }
  return checkin === 'true' ? texts.statusIn(about) : texts.statusNotIn(about)
}
