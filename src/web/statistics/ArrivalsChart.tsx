import type { Statistics } from '../../contract/statistics.ts'
import { formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { arrivalsOf } from './arrivals.ts'
import { timeAxis } from './chart/axis.ts'
import type { Band } from './chart/Chart.tsx'
import { ChartCard } from './chart/ChartCard.tsx'
import { dayFrom, formatDay } from './chart/days.ts'
import { formatCount, formatShare, sayArrived, ticketsOf } from './figures.ts'

interface Props {
  statistics: Statistics
  /** `yyyy-mm-dd` */
  day: string
  timeZone: string
}

/** When people arrived on a day, and what share of those with a ticket was in by then. */
export function ArrivalsChart({ statistics, day, timeZone }: Props) {
  const date = formatDay(dayFrom(day))
  const tickets = ticketsOf(statistics)
  const arrivals = arrivalsOf(statistics, day, timeZone)
  if (!arrivals)
    return (
      <section aria-labelledby="arrivals">
        <h2 id="arrivals">{texts.arrivalsOn({ date })}</h2>
        <p className="muted">{texts.noArrivals()}</p>
      </section>
    )
  const { step, from, parts } = arrivals
  const time = (at: Date) => formatTime(at, timeZone)
  const bands = parts.map(({ at, until, count, inAll }) => ({
    id: at.getTime(),
    title: `${time(at)}–${time(until)}`,
    count,
    inAll,
  }))
  // How many were in at the start, and at the end of each part.
  const [first] = parts
  const shares = [
    ...(first ? [{ at: first.at, inAll: first.inAll - first.count }] : []),
    ...parts.map(({ until, inAll }) => ({ at: until, inAll })),
  ]
  const most = parts.at(-1)?.inAll ?? 0
  return (
    <ChartCard
      title={texts.arrivalsOn({ date })}
      views={[
        {
          name: step === 60 ? texts.byHour() : texts.byMinutes({ minutes: step }),
          chart: {
            label: texts.arrivalsBy({ date, minutes: step }),
            kind: 'bars',
            bands: bands.map(
              (band): Band => ({ ...band, text: texts.cameIn({ count: band.count }), value: band.count }),
            ),
            axis: timeAxis({ from, step, count: parts.length, isMoments: false }),
            format: formatCount,
          },
        },
        {
          name: texts.shareIn(),
          chart: {
            label: texts.shareLabel({ date }),
            kind: 'line',
            bands: shares.map(
              ({ at, inAll }): Band => ({
                id: at.getTime(),
                title: time(at),
                text: sayArrived(inAll, tickets),
                value: inAll,
              }),
            ),
            axis: timeAxis({ from, step, count: shares.length, isMoments: true }),
            format: formatCount,
            // A line far above would press the others flat.
            limit:
              tickets <= most * 4 ? { value: tickets, text: texts.withTicket({ count: formatCount(tickets) }) } : null,
          },
        },
      ]}
      table={{
        caption: texts.arrivalsOf({ date, count: formatCount(tickets) }),
        columns: [texts.time(), texts.cameInColumn(), texts.total(), texts.share()],
        rows: bands
          .filter(({ count }) => count > 0)
          .map(({ id, title, count, inAll }) => ({
            id,
            cells: [title, formatCount(count), formatCount(inAll), formatShare(inAll, tickets)],
          })),
        total: [
          texts.theDay(),
          formatCount(statistics.historicalCheckinCount),
          formatCount(most),
          formatShare(most, tickets),
        ],
      }}
    />
  )
}
