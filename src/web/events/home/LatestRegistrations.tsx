import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { attendeeApi } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import type { Statistics } from '../../../contract/statistics.ts'
import * as texts from '../../../texts/generated/overview.ts'
import { query } from '../../api/query.ts'
import * as paths from '../../paths.ts'
import { formatDay } from '../../statistics/chart/days.ts'
import { formatCount } from '../../statistics/figures.ts'
import { Parts } from '../../ui/Parts.tsx'
import { formatAgo } from './format-ago.ts'
import { isLive } from './is-at-door.ts'
import styles from './LatestRegistrations.module.css'
import { lastDays } from './last-days.ts'

interface Props {
  event: Event
  now: Date
  /** Undefined while they are being read. */
  statistics: Statistics | undefined
}

const MOST = 5

/** How registrations came in lately, and the people behind the latest. Nothing before somebody has registered. */
export function LatestRegistrations({ event, now, statistics }: Props) {
  // More than are shown, because those cancelled are left out.
  const asked = { eventId: event.id, searchKeyword: '', sortBy: 'registration', limit: 3 * MOST } as const
  const { data } = useQuery(query(attendeeApi.getAttendees, asked))
  const latest = data?.attendees.filter(({ registration }) => registration.status !== 'cancelled').slice(0, MOST) ?? []
  if (latest.length === 0) return null
  const agoOf = ({ registrationTime }: { registrationTime: Date }) => formatAgo(registrationTime, now, event.timeZone)
  return (
    <section className={`card ${styles.latest}`} aria-labelledby="latest">
      <h2 id="latest">{texts.latest()}</h2>
      {isLive(event, now) && statistics && <LastDays event={event} now={now} series={statistics.series} />}
      <ul>
        {latest.map(({ rId, registration }) => (
          <li key={rId}>
            <Link to={`${paths.attendees(event.id)}?open=${rId}`}>{registration.registrationData.name}</Link>
            {registration.status === 'pending' && <span className="badge warm">{texts.notPaidYet()}</span>}
            <span className="muted small">{agoOf(registration)}</span>
          </li>
        ))}
      </ul>
      <Link to={paths.attendees(event.id)}>{texts.seeAllAttendees()}</Link>
    </section>
  )
}

const [WIDTH, HEIGHT] = [260, 48]

/** A line of the registrations by day; the words say the same. Nothing when nobody registered in these days. */
function LastDays({ event, now, series }: { event: Event; now: Date; series: Statistics['series'] }) {
  const days = lastDays(series, now, event.timeZone)
  const sum = days.reduce((total, { count }) => total + count, 0)
  const most = Math.max(...days.map(({ count }) => count))
  const [first] = days
  if (sum === 0 || !first) return null
  const points = days.map(({ count }, index) => {
    const x = (index / (days.length - 1)) * WIDTH
    return `${x.toFixed(1)},${(HEIGHT - 2 - (count / most) * (HEIGHT - 4)).toFixed(1)}`
  })
  return (
    <div className={styles.lately}>
      <p>
        <Parts
          of={texts.inLastDays({
            count: formatCount(sum),
            days: days.length,
            most: formatCount(most),
            strong: (text) => <strong>{text}</strong>,
          })}
        />
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <polyline points={points.join(' ')} />
      </svg>
      <p className={`muted small ${styles.ends}`} aria-hidden="true">
        <span>{formatDay(first.day).slice(0, 5)}</span>
        <span>{texts.today()}</span>
      </p>
    </div>
  )
}
