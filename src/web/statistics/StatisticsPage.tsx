import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { formatTime } from '../../contract/values/dates.ts'
import { parseTypedDay } from '../../contract/values/typed-moments.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { query } from '../api/query.ts'
import { serverNow } from '../api/server-time.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { useSession } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { AnswersGiven } from './AnswersGiven.tsx'
import { dayOf, isoDay } from './chart/days.ts'
import { DayCard } from './DayCard.tsx'
import { DoorMoney } from './DoorMoney.tsx'
import { IncomeChart } from './IncomeChart.tsx'
import { NobodyYet } from './NobodyYet.tsx'
import { RegistrationsChart } from './RegistrationsChart.tsx'
import styles from './StatisticsPage.module.css'
import { TicketsSold } from './TicketsSold.tsx'
import { Totals } from './Totals.tsx'
import { untilFinal, useStatistics } from './use-statistics.ts'
import { VouchersSold } from './VouchersSold.tsx'

/** An event's figures, in total, over time and for one day. All but the answers update while the page is open. */
export function StatisticsPage() {
  const eventId = readId(useParams().eventId)
  const isAdmin = useSession()?.user.role === 'admin'
  const may = useMay()
  const { data: event } = useSuspenseQuery({ ...query(eventApi.getEvent, { eventId }), refetchInterval: untilFinal })
  const now = serverNow()
  // Kept while the page is open, so that a night does not end in the middle of it.
  const [today] = useState(() => isoDay(dayOf(now, event.timeZone)))
  const isOver = event.endsAt <= now
  const [usual] = useState(() => (isOver ? isoDay(dayOf(event.startsAt, event.timeZone)) : today))
  const [params, setParams] = useSearchParams()
  // In the address too, so that it outlives a reload and can be shared.
  const [day, setDay] = useState(() => parseTypedDay(params.get('day') ?? '') ?? usual)
  const chooseDay = (next: string) => {
    setDay(next)
    setParams({ day: next }, { replace: true })
  }
  const { data, error, refetch, isFetching, dataUpdatedAt } = useStatistics(eventId, usual)
  // While it is tried again the query has no error; the message stays, with the focus on its button.
  const [failure, setFailure] = useState(error)
  if (!data && error && error !== failure) setFailure(error)
  const about = {
    event: event.name,
    zone: event.timeZone.replaceAll('_', ' '),
    link: (text: string) => (isAdmin ? <Link to={paths.eventHome(eventId)}>{text}</Link> : text),
  }
  return (
    <div className="page">
      <PageTitle title={texts.title({ event: event.name })} />
      <h1>{texts.statistics()}</h1>
      <p className={`muted ${styles.about}`}>
        <Parts
          of={
            data
              ? texts.aboutUpdated({ ...about, time: formatTime(new Date(dataUpdatedAt), event.timeZone) })
              : texts.about(about)
          }
        />
      </p>
      {data && isEmpty(data) ? (
        <NobodyYet event={event} now={now} isAdmin={isAdmin && may('events')} />
      ) : (
        <>
          {data ? (
            <Overall event={event} statistics={data} isAdmin={isAdmin} />
          ) : failure ? (
            <LoadFailed error={failure} onRetry={() => void refetch()} isRetrying={isFetching} />
          ) : (
            <OverallLoading event={event} />
          )}
          {(data || !failure) && <DayCard event={event} day={day} today={today} onChange={chooseDay} />}
          {data && <Sold statistics={data} currency={data.income?.currency ?? event.currency} />}
          {data && <AnswersGiven eventId={eventId} />}
        </>
      )}
    </div>
  )
}

/** Whether nothing has happened yet. */
function isEmpty({ series, income, totalRegistrationCount }: Statistics): boolean {
  return totalRegistrationCount === 0 && series.length === 0 && income === null
}

interface Props {
  event: Event
  statistics: Statistics
  isAdmin: boolean
}

function Overall({ event, statistics, isAdmin }: Props) {
  const { series, income, incomeByDay } = statistics
  return (
    <>
      <Totals event={event} statistics={statistics} isAdmin={isAdmin} />
      <div className={styles.charts}>
        <div className="card">
          <RegistrationsChart event={event} series={series} />
        </div>
        {income && (
          <div className="card">
            <IncomeChart event={event} income={income} incomeByDay={incomeByDay} />
          </div>
        )}
      </div>
    </>
  )
}

/** What was sold, and what was paid at the door; the tables are side by side where there is room. */
function Sold({ statistics, currency }: { statistics: Statistics; currency: string }) {
  const { ticketTypes, doorMoney, vouchers } = statistics
  return (
    <div className={`${styles.charts} ${styles.tables}`}>
      {ticketTypes.length > 0 && <TicketsSold ticketTypes={ticketTypes} currency={currency} />}
      {vouchers.length > 0 && <VouchersSold vouchers={vouchers} />}
      {doorMoney.length > 0 && <DoorMoney doorMoney={doorMoney} currency={currency} />}
    </div>
  )
}

/** The boxes and charts without their contents, so that nothing moves once they are there. */
function OverallLoading({ event }: { event: Event }) {
  const nothing = { paid: 0, refunded: 0, lost: 0, currency: event.currency }
  const statistics: Statistics = {
    historicalRegistrationCount: 0,
    historicalCheckinCount: 0,
    totalRegistrationCount: 0,
    totalCheckinCount: 0,
    series: [],
    arrivals: [],
    vouchers: [],
    ticketTypes: [],
    income: event.ticketPriceTo > 0 ? nothing : null,
    incomeByDay: [],
    doorMoney: [],
    unpaidCount: 0,
    unpaidAmount: 0,
  }
  return (
    <div className={styles.loading} aria-busy="true">
      <Overall event={event} statistics={statistics} isAdmin />
    </div>
  )
}
