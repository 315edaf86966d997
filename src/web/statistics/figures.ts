import type { Event } from '../../contract/event.ts'
import type { Extras } from '../../contract/extras.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { decimalsOf, formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/figures.ts'
import { formatNumber } from '../../texts/numbers.ts'

export const formatCount = formatNumber

/** `23 %`. Neither all nor nobody is said of a part of them. */
export function formatShare(part: number, whole: number): string {
  if (part === 0 || whole === 0) return texts.share({ percent: 0 })
  const percent = Math.round((part / whole) * 100)
  return texts.share({ percent: part < whole ? Math.min(99, Math.max(1, percent)) : percent })
}

/** How many have a valid ticket: whoever has not paid holds a place, but is not let in. */
export function ticketsOf(statistics: Pick<Statistics, 'totalRegistrationCount' | 'unpaidCount'>): number {
  return statistics.totalRegistrationCount - statistics.unpaidCount
}

/** How many vouchers are sold, by the same rule. */
export function vouchersSold({ soldCount, unpaidCount = 0 }: Pick<Extras, 'soldCount' | 'unpaidCount'>): number {
  return soldCount - unpaidCount
}

/** Whether an event has anything to do with money. */
export const hasMoney = (event: Event, statistics: Statistics | undefined) =>
  event.ticketPriceTo > 0 ||
  event.ticketPrice > 0 ||
  (statistics?.income ?? null) !== null ||
  (statistics?.unpaidCount ?? 0) > 0

/** `5 of 22 arrived (23%)`. */
export function sayArrived(arrived: number, tickets: number): string {
  return texts.arrived({
    arrived: formatCount(arrived),
    tickets: formatCount(tickets),
    share: formatShare(arrived, tickets),
  })
}

/** Who of those with a ticket is still missing, and how many have none because they have not paid. */
export function sayMissing(
  statistics: Pick<Statistics, 'totalRegistrationCount' | 'totalCheckinCount' | 'unpaidCount'>,
): string {
  const tickets = ticketsOf(statistics)
  const missing = tickets - statistics.totalCheckinCount
  const { unpaidCount } = statistics
  const text =
    tickets === 0
      ? texts.noTickets()
      : missing > 0
        ? texts.missing({ count: missing })
        : unpaidCount > 0
          ? texts.everybodyPaidIn()
          : texts.everybodyIn()
  return unpaidCount > 0 ? texts.andUnpaid({ text, count: unpaidCount }) : text
}

/** An amount of money by where it came from and went; in the minor unit. */
export interface Money {
  paid: number
  refunded: number
  /** Taken back by the bank in disputes. */
  lost: number
}

export const netOf = ({ paid, refunded, lost }: Money) => paid - refunded - lost

/** `€50.00 paid, €25.00 refunded`. */
export function sayMoney({ paid, refunded, lost }: Money, currency: string): string {
  const parts = [
    { amount: paid, text: texts.paid },
    { amount: refunded, text: texts.givenBack },
    { amount: lost, text: texts.lost },
  ].filter(({ amount }) => amount > 0)
  return parts.length === 0
    ? texts.nothingPaid()
    : parts.map(({ amount, text }) => text({ amount: formatAmount(amount, currency) })).join(', ')
}

/** An amount at an axis: without decimals where its steps need none. */
export function formatRound(amount: number, currency: string): string {
  return formatAmount(amount, currency, amount % 10 ** decimalsOf(currency) === 0 ? 0 : undefined)
}

export const sayRegistered = (count: number) => texts.registrations({ count })
