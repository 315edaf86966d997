import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Alert } from '../../contract/clubs.ts'
import { refundApi } from '../../contract/refunds.ts'
import * as texts from '../../texts/generated/toDos.ts'
import { useCall } from '../api/query.ts'
import * as paths from '../paths.ts'
import { useMay } from '../session/may.ts'
import { Parts } from '../ui/Parts.tsx'
import styles from './AdminDashboardPage.module.css'

interface Props {
  clubId: number
  alerts: readonly Alert[]
  /** Whether they stand on the page of the event that all of them are about, which need not be named. */
  isOnEvent?: boolean
  /** An entry that is no alert, after the others. */
  children?: ReactNode
}

/** The alerts of an event that goes as planned: only those who change events have something to do about them. */
export const plans: ReadonlySet<Alert['kind']> = new Set(['draft soon', 'event full'])

/** The alerts that staff should look into, most of them with a link. */
export function ToDos({ clubId, alerts, isOnEvent = false, children }: Props) {
  return (
    <section
      className={`card ${styles.toDos}`}
      data-wrong={alerts.some(({ kind }) => !plans.has(kind)) || undefined}
      aria-labelledby="to-do"
    >
      <h2 id="to-do">{texts.toDo()}</h2>
      <ul>
        {alerts.map((alert) => (
          <li key={`${alert.kind} ${alert.eventId}`}>
            <ToDo clubId={clubId} alert={alert} isOnEvent={isOnEvent} />
          </li>
        ))}
        {children && <li>{children}</li>}
      </ul>
    </section>
  )
}

interface ToDoProps {
  clubId: number
  alert: Alert
  isOnEvent: boolean
}

function ToDo({ clubId, alert, isOnEvent }: ToDoProps) {
  const { kind, eventId } = alert
  const may = useMay()
  const sentence = (
    <Parts
      of={
        isOnEvent ? here[kind](alert) : isGone(alert) ? [texts.refundsFailedGone(alert)] : elsewhere[kind](named(alert))
      }
    />
  )
  switch (kind) {
    case 'mails failed':
    case 'disputes':
      return (
        <>
          {sentence} <Link to={paths.attendees(eventId)}>{texts.seeTheAttendees()}</Link>
        </>
      )
    case 'refunds failed':
      return (
        <>
          {sentence} {eventId !== null && <Link to={paths.attendees(eventId)}>{texts.seeTheAttendees()}</Link>}{' '}
          {may('money') && <RetryRefunds clubId={clubId} eventId={eventId} />}
        </>
      )
    case 'door conflicts':
      return (
        <>
          {sentence} <Link to={`${paths.attendees(eventId)}#conflicts`}>{texts.lookIntoIt()}</Link>
        </>
      )
    case 'draft soon':
      return (
        <>
          {sentence} {may('events') && <Link to={paths.editEvent(eventId)}>{texts.publishIt()}</Link>}
        </>
      )
    case 'event full':
      return (
        <>
          {sentence} {may('events') && <Link to={paths.editEvent(eventId)}>{texts.addPlaces()}</Link>}
        </>
      )
  }
}

/** Only refunds outlast the event that they are for. */
const isGone = ({ kind, eventName }: Alert) => kind === 'refunds failed' && eventName === ''

const named = ({ count, eventName }: Alert) => ({
  count,
  event: eventName,
  strong: (text: string) => <strong>{text}</strong>,
})

/** What there is to do, on the event's own page. */
const here: Readonly<Record<Alert['kind'], (p: { count: number }) => readonly ReactNode[]>> = {
  'mails failed': (p) => [texts.mailsFailed(p)],
  'refunds failed': (p) => [texts.refundsFailed(p)],
  disputes: (p) => [texts.disputes(p)],
  'door conflicts': (p) => [texts.conflicts(p)],
  'draft soon': () => [texts.draftSoon()],
  'event full': () => [texts.full()],
}

/** The same where several events are listed. */
const elsewhere: Readonly<Record<Alert['kind'], (p: ReturnType<typeof named>) => readonly ReactNode[]>> = {
  'mails failed': texts.mailsFailedOf,
  'refunds failed': texts.refundsFailedOf,
  disputes: texts.disputesOf,
  'door conflicts': texts.conflictsOf,
  'draft soon': texts.draftSoonOf,
  'event full': texts.fullOf,
}

/** Retries refunds at Stripe at once, for example after money was added to the account; without an event, those of removed events. */
function RetryRefunds({ clubId, eventId }: { clubId: number; eventId: number | null }) {
  const ofEvent = useCall(refundApi.retryRefunds)
  const ofRemoved = useCall(refundApi.retryRefundsOfRemoved)
  const retry = eventId === null ? ofRemoved : ofEvent
  const start = () => {
    if (retry.isPending) return
    if (eventId === null) ofRemoved.mutate({ payload: { clubId } })
    else ofEvent.mutate({ payload: { eventId } })
  }
  return (
    <>
      <button type="button" className="button small light" aria-disabled={retry.isPending} onClick={start}>
        {texts.tryAgain()}
      </button>{' '}
      <span role="status">{retry.isError ? texts.retryFailed() : retry.isSuccess ? texts.retryStarted() : ''}</span>
    </>
  )
}
