import { ActionIcon, Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { attendeeApi } from '../../contract/attendees.ts'
import type { Event } from '../../contract/events.ts'
import { type PaymentSummary, registrationApi } from '../../contract/registrations.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { shortCode } from '../../contract/values/ticket-codes.ts'
import { query } from '../api/query.ts'
import { Problem } from '../layouts/Problem.tsx'
import type { Ticket } from '../registrations/ticket/ticket.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import { Loading } from '../ui/Loading.tsx'
import { AttendeeActions } from './AttendeeActions.tsx'
import styles from './attendees.module.css'
import { PanelVouchers } from './PanelVouchers.tsx'
import { StatusBadges } from './StatusBadges.tsx'

interface Props {
  event: Event
  id: number
  /** The ids of the list in its order, to step to the previous and next. */
  neighbours: number[]
  onOpen: (id: number) => void
  onClose: () => void
}

/** One attendee beside the list: answers, history and all actions. */
export function AttendeePanel({ event, id, neighbours, onOpen, onClose }: Props) {
  const ticket = useQuery(query(registrationApi.getRegistration, { registrationId: id }))
  const close = useTopmost(true, onClose)
  const at = neighbours.indexOf(id)
  const [before, after] = [at > 0 ? neighbours[at - 1] : undefined, at === -1 ? undefined : neighbours[at + 1]]
  const title = (
    <Group gap="xs">
      <strong>#{String(id).padStart(5, '0')}</strong>
      <ActionIcon
        variant="subtle"
        aria-label="Previous attendee"
        disabled={before === undefined}
        onClick={() => before && onOpen(before)}
      >
        ↑
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        aria-label="Next attendee"
        disabled={after === undefined}
        onClick={() => after && onOpen(after)}
      >
        ↓
      </ActionIcon>
    </Group>
  )
  return (
    <Drawer opened onClose={close} position="right" size="lg" title={title}>
      {ticket.data ? (
        <Details event={event} ticket={ticket.data} onClose={onClose} />
      ) : ticket.error?.code === 'NOT_FOUND' ? (
        <p>This registration is no longer there.</p>
      ) : ticket.error ? (
        <Problem error={ticket.error} resetErrorBoundary={() => void ticket.refetch()} />
      ) : (
        <Loading />
      )}
    </Drawer>
  )
}

function Details({ event, ticket, onClose }: { event: Event; ticket: Ticket; onClose: () => void }) {
  const { registration } = ticket
  const { name, email, phone, others } = registration.registrationData
  return (
    <Stack>
      <div>
        <h2>{name}</h2>
        <StatusBadges event={event} row={{ ...ticket, mail: null }} />
      </div>
      <AttendeeActions event={event} ticket={ticket} onClose={onClose} />
      {ticket.payment && <PaymentLine payment={ticket.payment} />}
      <PanelVouchers event={event} ticket={ticket} />
      <dl className={styles.details}>
        <dt>E-mail</dt>
        <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : 'None'}</dd>
        <dt>Phone</dt>
        <dd>{phone ? <a href={`tel:${phone}`}>{phone}</a> : 'None'}</dd>
        <dt>Code</dt>
        <dd>{shortCode(registration)}</dd>
        {others.map(({ qId, question, answer }) => (
          <div key={qId}>
            <dt>{question}</dt>
            <dd>{Array.isArray(answer) ? answer.join(', ') : answer}</dd>
          </div>
        ))}
      </dl>
      <Timeline event={event} registrationId={registration.id} />
    </Stack>
  )
}

function PaymentLine({ payment: { paid, refunded, lost, currency, dispute } }: { payment: PaymentSummary }) {
  return (
    <p>
      {formatPrice(paid, currency)} paid by card
      {refunded > 0 && `, ${formatPrice(refunded, currency)} given back`}
      {lost > 0 && `, ${formatPrice(lost, currency)} lost in a dispute`}
      {dispute && <strong>. The payment is disputed ({dispute.replaceAll('_', ' ')}).</strong>}
    </p>
  )
}

function Timeline({ event, registrationId }: { event: Event; registrationId: number }) {
  const { data: entries } = useQuery(query(attendeeApi.getTimeline, { registrationId, eventId: event.id }))
  if (!entries) return null
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">What happened</h3>
      <ol className={styles.timeline}>
        {entries.map(({ at, kind, text, by }) => (
          <li key={`${kind} ${at.getTime()} ${text}`}>
            <time dateTime={at.toISOString()}>
              {formatDate(at, event.timeZone)} {formatTime(at, event.timeZone)}
            </time>{' '}
            {text}
            {by && <span className="muted"> by {by}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}
