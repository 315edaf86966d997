import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { attendeeApi } from '../../contract/attendees.ts'
import { checkinApi } from '../../contract/checkins.ts'
import type { Event } from '../../contract/events.ts'
import { isRefundable } from '../../contract/payments.ts'
import { ticketUrl } from '../../contract/values/ticket-codes.ts'
import { useCall } from '../api/query.ts'
import { paths } from '../paths.ts'
import { RefundDialog } from '../payments/RefundDialog.tsx'
import type { Ticket } from '../registrations/ticket/ticket.ts'
import { baseUrl } from '../site.ts'
import { openContact } from '../ui/contact-link.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { RegistrationDialog } from './RegistrationDialog.tsx'

type Asked = 'correct' | 'cancel' | 'remove' | 'refund' | null

interface Props {
  event: Event
  ticket: Ticket
  /** Called when the registration has been removed. */
  onClose: () => void
}

/** All that can be done with one attendee. */
export function AttendeeActions({ event, ticket: { registration, checkin, payment }, onClose }: Props) {
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
            Share in a chat
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
