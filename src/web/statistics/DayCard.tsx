import type { Event } from '../../contract/event.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import { Parts } from '../ui/Parts.tsx'
import { ArrivalsChart } from './ArrivalsChart.tsx'
import { dayOf, isoDay } from './chart/days.ts'
import styles from './DayCard.module.css'
import { DayPicker } from './DayPicker.tsx'
import { hasMoney } from './figures.ts'
import { useStatistics } from './use-statistics.ts'

interface Props {
  event: Event
  /** `yyyy-mm-dd` */
  day: string
  today: string
  onChange: (day: string) => void
}

/** One day of an event: chosen here, with its figures and arrivals beside it. */
export function DayCard({ event, day, today, onChange }: Props) {
  const { data, error, refetch, isFetching } = useStatistics(event.id, day)
  const shortcuts = [
    { name: texts.today(), day: today },
    { name: texts.dayOfEvent(), day: isoDay(dayOf(event.startsAt, event.timeZone)) },
  ]
  return (
    <section className={`card ${styles.card}`} aria-labelledby="day">
      <div>
        <h2 id="day">{texts.oneDay()}</h2>
        <DayPicker day={day} onChange={onChange} shortcuts={shortcuts} />
        {data && <DayFigures event={event} statistics={data} day={day} />}
      </div>
      <div className={styles.arrivals} aria-busy={!data && !error}>
        {data ? (
          <ArrivalsChart statistics={data} day={day} timeZone={event.timeZone} />
        ) : (
          error && <LoadFailed error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
        )}
      </div>
    </section>
  )
}

function DayFigures({ event, statistics, day }: { event: Event; statistics: Statistics; day: string }) {
  const money = statistics.incomeByDay.find(({ at }) => isoDay(dayOf(at, event.timeZone)) === day)
  const currency = statistics.income?.currency ?? event.currency
  const { historicalRegistrationCount: registered, historicalCheckinCount: arrived } = statistics
  const strong = (part: string) => <strong>{part}</strong>
  const figures = [
    texts.figureRegistered({ count: registered, strong }),
    texts.figureCameIn({ count: arrived, strong }),
    ...(hasMoney(event, statistics)
      ? [texts.figurePaid({ figure: formatAmount(money?.paid ?? 0, currency), strong })]
      : []),
    ...(money && money.refunded > 0
      ? [texts.figureBack({ figure: formatAmount(money.refunded, currency), strong })]
      : []),
  ]
  return (
    <ul className={styles.figures}>
      {figures.map((parts, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: each has its place.
        <li key={at}>
          <Parts of={parts} />
        </li>
      ))}
    </ul>
  )
}
