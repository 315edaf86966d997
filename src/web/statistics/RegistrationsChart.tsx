import type { Event } from '../../contract/event.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { serverNow } from '../api/server-time.ts'
import { calendarOf, sumOf, unitNames } from './calendar.ts'
import { dayAxis } from './chart/axis.ts'
import type { Band } from './chart/Chart.tsx'
import { ChartCard } from './chart/ChartCard.tsx'
import { dayOf, formatDay, formatDays } from './chart/days.ts'
import { formatCount, sayRegistered } from './figures.ts'

/** The registrations by day, one by one and against the capacity. */
export function RegistrationsChart({ event, series }: { event: Event; series: Statistics['series'] }) {
  const rows = series.flatMap(({ at, registrations }) =>
    registrations === 0 ? [] : [{ day: dayOf(at, event.timeZone), registrations }],
  )
  const { days, unit, spans, year } = calendarOf(rows, event, serverNow())
  let total = 0
  const inAll = days.map((day): Band & { added: number } => {
    const added = sumOf(rows, { from: day, to: day }, ({ registrations }) => registrations)
    total += added
    const text = `${added > 0 ? `${formatCount(added)} new, ` : ''}${formatCount(total)} in all`
    return { id: day, title: formatDays({ from: day, to: day }), text, value: total, added }
  })
  const byUnit = spans.map((each): Band => {
    const value = sumOf(rows, each, ({ registrations }) => registrations)
    return { id: each.from, title: formatDays(each), text: sayRegistered(value), value }
  })
  const capacity = event.maxAttendees
  return (
    <ChartCard
      title="Registrations"
      views={[
        {
          name: 'Total',
          chart: {
            label: 'Registrations in all, day by day',
            kind: 'line',
            bands: inAll,
            axis: dayAxis(days, year),
            format: formatCount,
            // A line far above would press the others flat.
            limit:
              capacity !== null && capacity <= total * 4
                ? { value: capacity, text: `${formatCount(capacity)} places` }
                : null,
          },
        },
        {
          name: unitNames[unit],
          chart: {
            label: `New registrations, ${unit} by ${unit}`,
            kind: 'bars',
            bands: byUnit,
            axis: dayAxis(
              spans.map(({ from }) => from),
              year,
            ),
            format: formatCount,
          },
        },
      ]}
      table={{
        caption:
          capacity === null ? 'Registrations by day' : `Registrations by day, of ${formatCount(capacity)} places`,
        columns: ['Day', 'New', 'Total'],
        rows: inAll
          .filter(({ added }) => added > 0)
          .map(({ id, added, value }) => ({ id, cells: [formatDay(id), formatCount(added), formatCount(value)] })),
      }}
    />
  )
}
