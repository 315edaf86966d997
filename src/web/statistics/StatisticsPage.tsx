import { TextInput } from '@mantine/core'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { isDecided, type Refusal } from '../../contract/errors.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { type Statistics, statisticsApi } from '../../contract/statistics.ts'
import { formatDate, formatTime, toLocalInput } from '../../contract/values/dates.ts'
import { formatAmount } from '../../contract/values/money.ts'
import { query } from '../api/query.ts'
import { serverNow } from '../api/server-time.ts'
import { Problem } from '../layouts/Problem.tsx'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { useSession } from '../session/session.ts'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { CountsChart } from './CountsChart.tsx'
import styles from './statistics.module.css'

const LIVE_MS = 5_000

/** Stops polling when the event is gone. */
const untilFinal = ({ state }: { state: { error: Refusal | null } }) => (isDecided(state.error) ? false : LIVE_MS)

/** An event's counts, in total, for one day and over time. They update while the page is open. */
export function StatisticsPage() {
  const eventId = readId(useParams().eventId)
  const session = useSession()
  const { data: event } = useSuspenseQuery({ ...query(eventApi.getEvent, { eventId }), refetchInterval: untilFinal })
  const [date, setDate] = useState(() => dayOf(serverNow(), event.timeZone))
  const statistics = useQuery({
    ...query(statisticsApi.getStatistics, { eventId, date }),
    refetchInterval: untilFinal,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="page">
      <PageTitle title={`Statistics: ${event.name}`} />
      <h1>Statistics</h1>
      <p className="muted">
        {session?.user.role === 'admin' ? <Link to={paths.eventHome(eventId)}>{event.name}</Link> : event.name}. Days
        and times are those of {event.timeZone}.
      </p>
      <TextInput
        label="Day"
        type="date"
        value={date}
        onChange={({ target }) => target.value !== '' && setDate(target.value)}
        w={{ base: '100%', sm: 220 }}
      />
      {statistics.data ? (
        <Figures event={event} statistics={statistics.data} date={date} />
      ) : statistics.error ? (
        <Problem error={statistics.error} resetErrorBoundary={() => void statistics.refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  )
}

function Figures({ event, statistics, date }: { event: Event; statistics: Statistics; date: string }) {
  const { series, arrivals } = statistics
  const day = date.split('-').reverse().join('/')
  const capacity = event.maxAttendees
  const counts = [
    {
      name: 'Registrations',
      value: statistics.totalRegistrationCount,
      note: capacity === null ? 'in all' : `in all, of ${capacity}`,
    },
    { name: 'Checked in', value: statistics.totalCheckinCount, note: 'in all' },
    { name: 'Registrations', value: statistics.historicalRegistrationCount, note: `on ${day}` },
    { name: 'Checked in', value: statistics.historicalCheckinCount, note: `on ${day}` },
  ]
  let taken = 0
  const seats = series.map(({ at, registrations }) => {
    taken += registrations
    return { at, count: taken }
  })
  const byDay = (at: Date) => formatDate(at, event.timeZone)
  return (
    <>
      <dl className={styles.counts}>
        {counts.map(({ name, value, note }) => (
          <div className="card" key={`${name} ${note}`}>
            <dt>{name}</dt>
            <dd>
              {value.toLocaleString('en-GB')} <span className="muted small">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Sales statistics={statistics} />
      <CountsChart
        title="Registrations by day"
        unit="Registrations"
        label={byDay}
        points={series.map(({ at, registrations }) => ({ at, count: registrations }))}
      />
      <CountsChart title="Seats taken" unit="Seats" label={byDay} points={seats} limit={capacity} isLine />
      <CountsChart
        title={`Arrivals by 5 minutes on ${day}`}
        unit="Arrivals"
        label={(at) => formatTime(at, event.timeZone)}
        points={arrivals.map(({ at, checkins }) => ({ at, count: checkins }))}
      />
    </>
  )
}

/** The income and the vouchers sold; renders nothing without either. */
function Sales({ statistics: { vouchers, income } }: { statistics: Statistics }) {
  if (vouchers.length === 0 && !income) return null
  return (
    <section className="card" aria-labelledby="sales">
      <h2 id="sales">Sales</h2>
      {income && (
        <p>
          <strong>{formatAmount(income.paid - income.refunded - income.lost, income.currency)}</strong> paid by card
          {income.refunded > 0 && `, after ${formatAmount(income.refunded, income.currency)} were given back`}
          {income.lost > 0 &&
            `${income.refunded > 0 ? ' and' : ', after'} ${formatAmount(income.lost, income.currency)} were lost in disputes`}
        </p>
      )}
      {vouchers.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Voucher</th>
              <th scope="col">Sold</th>
              <th scope="col">Used up</th>
            </tr>
          </thead>
          <tbody>
            {vouchers.map(({ name, sold, redeemed }) => (
              <tr key={name}>
                <td>{name}</td>
                <td>{sold}</td>
                <td>{redeemed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function dayOf(moment: Date, timeZone: string): string {
  return toLocalInput(moment, timeZone).slice(0, 10)
}
