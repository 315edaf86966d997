import type { Statistics } from '../../contract/statistics.ts'
import { formatTime } from '../../contract/values/dates.ts'
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
        <h2 id="arrivals">Arrivals on {date}</h2>
        <p className="muted">Nobody was checked in on this day.</p>
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
      title={`Arrivals on ${date}`}
      views={[
        {
          name: step === 60 ? 'By hour' : `By ${step} min`,
          chart: {
            label: `Arrivals on ${date} by ${step} minutes`,
            kind: 'bars',
            bands: bands.map(
              (band): Band => ({ ...band, text: `${formatCount(band.count)} came in`, value: band.count }),
            ),
            axis: timeAxis({ from, step, count: parts.length, isMoments: false }),
            format: formatCount,
          },
        },
        {
          name: '% in',
          chart: {
            label: `Share of those with a ticket that was in on ${date}`,
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
            limit: tickets <= most * 4 ? { value: tickets, text: `${formatCount(tickets)} with a ticket` } : null,
          },
        },
      ]}
      table={{
        caption: `Arrivals on ${date}, of ${formatCount(tickets)} with a ticket`,
        columns: ['Time', 'Came in', 'Total', 'Share'],
        rows: bands
          .filter(({ count }) => count > 0)
          .map(({ id, title, count, inAll }) => ({
            id,
            cells: [title, formatCount(count), formatCount(inAll), formatShare(inAll, tickets)],
          })),
        total: [
          'The day',
          formatCount(statistics.historicalCheckinCount),
          formatCount(most),
          formatShare(most, tickets),
        ],
      }}
    />
  )
}
