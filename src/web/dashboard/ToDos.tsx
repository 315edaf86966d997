import { Link } from 'react-router'
import type { Alert } from '../../contract/clubs.ts'
import { refundApi } from '../../contract/refunds.ts'
import { useCall } from '../api/query.ts'
import { paths } from '../paths.ts'
import { plural } from '../ui/plural.ts'
import styles from './AdminDashboardPage.module.css'

/** The alerts that staff should look into, most of them with a link. */
export function ToDos({ clubId, alerts }: { clubId: number; alerts: Alert[] }) {
  return (
    <section className={`card ${styles.toDos}`} aria-labelledby="to-do">
      <h2 id="to-do">To do</h2>
      <ul>
        {alerts.map((alert) => (
          <li key={`${alert.kind} ${alert.eventId}`}>
            <ToDo clubId={clubId} alert={alert} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ToDo({ clubId, alert: { kind, eventId, eventName, count } }: { clubId: number; alert: Alert }) {
  switch (kind) {
    case 'mails failed':
      return (
        <>
          {plural(count, 'mail', 'mails')} of <strong>{eventName}</strong> could not be sent.{' '}
          <Link to={paths.attendees(eventId)}>See the attendees</Link>
        </>
      )
    case 'refunds failed':
      return (
        <>
          {plural(count, 'refund', 'refunds')} of <strong>{eventName}</strong> could not be made yet. Please check your
          balance and the payments at Stripe.{' '}
          {eventId !== null && <Link to={paths.attendees(eventId)}>See the attendees</Link>}{' '}
          <RetryRefunds clubId={clubId} eventId={eventId} />
        </>
      )
    case 'disputes':
      return (
        <>
          {plural(count, 'payment', 'payments')} of <strong>{eventName}</strong> {count === 1 ? 'is' : 'are'} disputed:
          answer it at Stripe. <Link to={paths.attendees(eventId)}>See the attendees</Link>
        </>
      )
    case 'door conflicts':
      return (
        <>
          {plural(count, 'ticket', 'tickets')} of <strong>{eventName}</strong> {count === 1 ? 'was' : 'were'} let in
          against the list while a phone had no network.{' '}
          <Link to={`${paths.attendees(eventId)}#conflicts`}>Look into it</Link>
        </>
      )
    case 'draft soon':
      return (
        <>
          <strong>{eventName}</strong> starts within a week and is still a draft.{' '}
          <Link to={paths.editEvent(eventId)}>Publish it</Link>
        </>
      )
    case 'event full':
      return (
        <>
          <strong>{eventName}</strong> is full. <Link to={paths.editEvent(eventId)}>Add places</Link>
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
