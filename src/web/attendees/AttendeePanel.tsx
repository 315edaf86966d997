import { ActionIcon, Button, Drawer, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { attendeeApi } from '../../contract/attendees.ts'
import { checkinApi } from '../../contract/checkins.ts'
import type { Event } from '../../contract/events.ts'
import { isRefundable } from '../../contract/payments.ts'
import { type PaymentSummary, registrationApi } from '../../contract/registrations.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { shortCode, ticketUrl } from '../../contract/values/ticket-codes.ts'
import { query, useCall } from '../api/call.ts'
import { baseUrl } from '../base-url.ts'
import { Problem } from '../layouts/Problem.tsx'
import { paths } from '../paths.ts'
import { RefundDialog } from '../payments/RefundDialog.tsx'
import type { Ticket } from '../registrations/ticket/ticket.ts'

import { openContact } from '../ui/contact-link.ts'
import { Loading } from '../ui/Loading.tsx'
import { RemovalDialog } from '../ui/RemovalDialog.tsx'
import { useTopmost } from '../ui/use-topmost.ts'
import { PanelVouchers } from './PanelVouchers.tsx'
import { RegistrationDialog } from './RegistrationDialog.tsx'
import { StatusBadges } from './StatusBadges.tsx'

interface Props {
  event: Event
  id: number
  /** The ids of the list in its order, for going on to the next. */
  neighbours: number[]
  onOpen: (id: number) => void
  onClose: () => void
}

/** One attendee beside the list: answers, what happened, and all that can be done. */
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
        aria-label="The one before"
        disabled={before === undefined}
        onClick={() => before && onOpen(before)}
      >
        ↑
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        aria-label="The next one"
        disabled={after === undefined}
        onClick={() => after && onOpen(after)}
      >
        ↓
      </ActionIcon>
    </Group>
  )
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
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
      <Actions event={event} ticket={ticket} onClose={onClose} />
      {ticket.payment && <PaymentLine payment={ticket.payment} />}
      <PanelVouchers event={event} ticket={ticket} />
      <dl className="details">
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

type Asked = 'correct' | 'cancel' | 'remove' | 'refund' | null

function Actions({
  event,
  ticket: { registration, checkin, payment },
  onClose,
}: {
  event: Event
  ticket: Ticket
  onClose: () => void
}) {
  const checkIn = useCall(checkinApi.save)
  const updateStatus = useCall(attendeeApi.updateStatus)
  const send = useCall(attendeeApi.sendTicket)
  const remove = useCall(attendeeApi.removeRegistration)
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  const { id, status, registrationData } = registration
  const { name, email, phone } = registrationData
  const of = { registrationId: id, eventId: event.id }
  const isIn = checkin?.status === true
  const setStatus = (next: 'confirmed' | 'cancelled') =>
    updateStatus.mutate({ payload: { id, eventId: event.id, status: next } }, { onSettled: close })
  const url = ticketUrl(baseUrl(), registration)
  return (
    <Group gap="xs">
      {status === 'confirmed' && (
        <Button
          loading={checkIn.isPending}
          variant={isIn ? 'light' : 'filled'}
          onClick={() =>
            checkIn.mutate({ payload: { newCheckin: { registrationId: id, status: !isIn }, eventId: event.id } })
          }
        >
          {isIn ? 'Undo the check-in' : 'Check in'}
        </Button>
      )}
      {status === 'cancelled' && (
        <Button loading={updateStatus.isPending} onClick={() => setStatus('confirmed')}>
          Confirm again
        </Button>
      )}
      <Button variant="light" onClick={() => setAsked('correct')}>
        Correct
      </Button>
      {status === 'confirmed' && (
        <>
          {email && (
            <Button variant="light" loading={send.isPending} onClick={() => send.mutate(of)}>
              Send the ticket again
            </Button>
          )}
          <Button variant="light" component="a" href={paths.ticket(registration)} target="_blank" rel="noopener">
            Open the ticket
          </Button>
          <Button variant="light" onClick={() => openContact(phone, `${name}, your ticket for ${event.name}: ${url}`)}>
            Share by messaging app
          </Button>
        </>
      )}
      {payment && isRefundable(payment) && (
        <Button variant="light" onClick={() => setAsked('refund')}>
          Give money back
        </Button>
      )}
      {status !== 'cancelled' && (
        <Button variant="subtle" color="red" onClick={() => setAsked('cancel')}>
          Cancel
        </Button>
      )}
      <Button variant="subtle" color="red" onClick={() => setAsked('remove')}>
        Remove
      </Button>
      {asked === 'correct' && <RegistrationDialog event={event} registration={registration} onClose={close} />}
      {asked === 'refund' && payment && <RefundDialog registration={registration} payment={payment} onClose={close} />}
      <RemovalDialog
        title={`Cancel the registration of ${name}?`}
        action="Cancel it"
        isOpen={asked === 'cancel'}
        isBusy={updateStatus.isPending}
        onConfirm={() => setStatus('cancelled')}
        onClose={close}
      >
        <p>
          The place is free again, the ticket no longer lets anybody in{email && `, and ${name} is told by mail`}.
          {payment && isRefundable(payment) && ' What was paid goes back to the card.'}
        </p>
      </RemovalDialog>
      <RemovalDialog
        title={`Remove ${name}?`}
        action="Remove for good"
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(of, { onSuccess: onClose, onSettled: close })}
        onClose={close}
      >
        <p>The registration goes with its answers and its check-in. It cannot be undone, and nobody is told by mail.</p>
      </RemovalDialog>
    </Group>
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
      <ol className="timeline">
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
