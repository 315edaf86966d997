import type { Event } from '../../contract/event.ts'
import type { Statistics } from '../../contract/statistics.ts'
import * as texts from '../../texts/generated/statistics.ts'
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
    const facts = { added: formatCount(added), total: formatCount(total) }
    const text = added > 0 ? texts.newInAll(facts) : texts.netInAll(facts)
    return { id: day, title: formatDays({ from: day, to: day }), text, value: total, added }
  })
  const byUnit = spans.map((each): Band => {
    const value = sumOf(rows, each, ({ registrations }) => registrations)
    return { id: each.from, title: formatDays(each), text: sayRegistered(value), value }
  })
  const capacity = event.maxAttendees
  return (
    <ChartCard
      title={texts.registrations()}
      views={[
        {
          name: texts.total(),
          chart: {
            label: texts.registrationsInAll(),
            kind: 'line',
            bands: inAll,
            axis: dayAxis(days, year),
            format: formatCount,
            // A line far above would press the others flat.
            limit:
              capacity !== null && capacity <= total * 4
                ? { value: capacity, text: texts.capacity({ count: formatCount(capacity) }) }
                : null,
          },
        },
        {
          name: unitNames[unit](),
          chart: {
            label: texts.newBy({ unit: unit === 'day' ? 'other' : unit }),
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
          capacity === null ? texts.registrationsByDay() : texts.registrationsByDayOf({ count: formatCount(capacity) }),
        columns: [texts.day(), texts.newOnes(), texts.total()],
        rows: inAll
          .filter(({ added }) => added > 0)
          .map(({ id, added, value }) => ({ id, cells: [formatDay(id), formatCount(added), formatCount(value)] })),
      }}
    />
  )
}
