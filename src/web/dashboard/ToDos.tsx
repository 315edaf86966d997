import { Link } from 'react-router'
import type { Alert } from '../../contract/clubs.ts'
import { refundApi } from '../../contract/refunds.ts'
import { useCall } from '../api/query.ts'
import { paths } from '../paths.ts'
import { plural } from '../ui/plural.ts'
import styles from './AdminDashboardPage.module.css'

interface Props {
  clubId: number
  alerts: readonly Alert[]
  /** Whether they stand on the page of the event that all of them are about, which need not be named. */
  isOnEvent?: boolean
}

/** The alerts that staff should look into, most of them with a link. */
export function ToDos({ clubId, alerts, isOnEvent = false }: Props) {
  return (
    <section className={`card ${styles.toDos}`} aria-labelledby="to-do">
      <h2 id="to-do">To do</h2>
      <ul>
        {alerts.map((alert) => (
          <li key={`${alert.kind} ${alert.eventId}`}>
            <ToDo clubId={clubId} alert={alert} isOnEvent={isOnEvent} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ToDoProps {
  clubId: number
  alert: Alert
  isOnEvent: boolean
}

function ToDo({ clubId, alert: { kind, eventId, eventName, count }, isOnEvent }: ToDoProps) {
  const ofEvent = !isOnEvent && (
    <>
      {' '}
      of <strong>{eventName}</strong>
    </>
  )
  const event = isOnEvent ? 'The event' : <strong>{eventName}</strong>
  switch (kind) {
    case 'mails failed':
      return (
        <>
          {plural(count, 'mail', 'mails')}
          {ofEvent} could not be sent. <Link to={paths.attendees(eventId)}>See the attendees</Link>
        </>
      )
    case 'refunds failed':
      return (
        <>
          {plural(count, 'refund', 'refunds')}
          {ofEvent} could not be made yet. Please check your balance and the payments at Stripe.{' '}
          {eventId !== null && <Link to={paths.attendees(eventId)}>See the attendees</Link>}{' '}
          <RetryRefunds clubId={clubId} eventId={eventId} />
        </>
      )
    case 'disputes':
      return (
        <>
          {plural(count, 'payment', 'payments')}
          {ofEvent} {count === 1 ? 'is' : 'are'} disputed: answer it at Stripe.{' '}
          <Link to={paths.attendees(eventId)}>See the attendees</Link>
        </>
      )
    case 'door conflicts':
      return (
        <>
          {plural(count, 'ticket', 'tickets')}
          {ofEvent} {count === 1 ? 'was' : 'were'} let in against the list while a phone had no network.{' '}
          <Link to={`${paths.attendees(eventId)}#conflicts`}>Look into it</Link>
        </>
      )
    case 'draft soon':
      return (
        <>
          {event} starts within a week and is still a draft. <Link to={paths.editEvent(eventId)}>Publish it</Link>
        </>
      )
    case 'event full':
      return (
        <>
          {event} is full. <Link to={paths.editEvent(eventId)}>Add places</Link>
        </>
      )
  }
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
        Try again
      </button>{' '}
      <span role="status">
        {retry.isError ? 'That did not work. Please try again.' : retry.isSuccess ? 'Stripe is being asked again.' : ''}
      </span>
    </>
  )
}
