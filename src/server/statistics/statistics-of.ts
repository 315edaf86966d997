import type { Statistics } from '../../contract/statistics.ts'
import { fromLocalInput } from '../../contract/values/dates.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { isDatabaseZone } from '../db/time-zones.ts'
import type { Deps } from '../deps.ts'
import { sumDoorMoney } from '../payments/door-payment-queries.ts'
import {
  countArrivals,
  countByDay,
  countTicketTypes,
  countUnpaid,
  countVouchers,
  sumIncome,
  sumIncomeByDay,
} from './queries.ts'

/** The counts of an event in total and on `date` (yyyy-mm-dd of its zone). One read of the rows, so that all figures agree. */
export async function statisticsOf({ db }: Deps, event: OwnEvent, date: string): Promise<Statistics> {
  const from = startOfDay(date, event.timeZone)
  const to = startOfDay(nextDay(date), event.timeZone)
  const zone = (await isDatabaseZone(db, event.timeZone)) ? event.timeZone : offsetZone(from, date)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const series = await countByDay(tx, event, zone)
      const arrivals = await countArrivals(tx, event, from, to)
      const income = await sumIncome(tx, event)
      const onDate = series.find(({ at }) => at.getTime() === from.getTime())
      const sum = (field: 'registrations' | 'checkins') => series.reduce((total, day) => total + day[field], 0)
      return {
        historicalRegistrationCount: onDate?.registrations ?? 0,
        historicalCheckinCount: onDate?.checkins ?? 0,
        totalRegistrationCount: sum('registrations'),
        totalCheckinCount: sum('checkins'),
        series,
        arrivals: withQuietTimes(arrivals),
        vouchers: await countVouchers(tx, event),
        ticketTypes: await countTicketTypes(tx, event),
        income,
        incomeByDay: income === null ? [] : await sumIncomeByDay(tx, event, income.currency, zone),
        doorMoney: income === null ? [] : await sumDoorMoney(tx, event.id, income.currency),
        ...(await countUnpaid(tx, event)),
      }
    })
}

const FIVE_MINUTES = 5 * 60_000

/** The arrivals with the five minutes in between in which nobody came, so that a chart's axis is even. */
function withQuietTimes(arrivals: Statistics['arrivals']): Statistics['arrivals'] {
  const [first, last] = [arrivals[0], arrivals.at(-1)]
  if (!first || !last) return []
  const counts = new Map(arrivals.map(({ at, checkins }) => [at.getTime(), checkins]))
  const length = (last.at.getTime() - first.at.getTime()) / FIVE_MINUTES + 1
  return Array.from({ length }, (_, index) => {
    const at = first.at.getTime() + index * FIVE_MINUTES
    return { at: new Date(at), checkins: counts.get(at) ?? 0 }
  })
}

/** A zone that is as far from UTC as the event's is on this date, for one that the database does not know. */
function offsetZone(startOfDate: Date, date: string): string {
  const minutes = Math.round((Date.parse(`${date}T00:00:00Z`) - startOfDate.getTime()) / 60_000)
  const two = (number: number) => String(number).padStart(2, '0')
  // In this notation, zones east of Greenwich have a minus.
  return `UTC${minutes < 0 ? '+' : '-'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

function startOfDay(date: string, timeZone: string): Date {
  // The schema lets only real dates through.
  return fromLocalInput(`${date}T00:00`, timeZone) ?? new Date(`${date}T00:00:00Z`)
}

function nextDay(date: string): string {
  const next = new Date(`${date}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}
