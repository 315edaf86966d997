import './ticket/ticket.css'
import { useEffect, useState } from 'react'
import { isDecided, Refusal } from '../../contract/errors.ts'
import { paymentApi } from '../../contract/payments.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { toRequest } from '../../contract/wire.ts'
import { call } from '../api/call.ts'
import { ClubLink } from '../events/ClubLink.tsx'
import { EventFacts } from '../events/EventFacts.tsx'
import { paths } from '../paths.ts'
import { CheckoutPanel } from '../payments/CheckoutPanel.tsx'
import { useRenderedPage } from '../rendered-page.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useIsRunning } from '../ui/use-is-running.ts'
import { useNow } from '../ui/use-now.ts'
import { forgetDraft } from './draft.ts'
import styles from './RegisteredPage.module.css'
import { canStillPay, MoneyBack } from './ticket/MoneyBack.tsx'
import { OrderLines } from './ticket/OrderLines.tsx'
import { TicketCard } from './ticket/TicketCard.tsx'
import type { Ticket } from './ticket/ticket.ts'

interface Props {
  ticket: Ticket
  /** The payment that the visitor returns from; null when there was none. */
  sessionId: string | null
}

/** The result of a registration: the payment still to be made, or the ticket and what happens next. */
export function RegisteredPage({ ticket, sessionId }: Props) {
  const { registration } = ticket
  const { refresh, submitted } = useRenderedPage()
  const isRunning = useIsRunning()
  const isChecking = usePaymentCheck(registration.status === 'confirmed' ? null : sessionId, refresh)
  const isLate = registration.status === 'cancelled' && ticket.payment !== null
  const canPay = canStillPay(ticket, useNow()) && !isLate
  if (registration.status === 'confirmed') return <Registered ticket={ticket} />
  return (
    <div className="page narrow">
      <PageTitle title={canPay ? 'Almost there' : 'Not registered'} />
      <ClubLink club={ticket.club} />
      <h1>{canPay ? 'Almost there' : 'You are not registered'}</h1>
      <section className="card">
        <h2>{ticket.event.name}</h2>
        <EventFacts event={ticket.event} hasPrice={false} />
      </section>
      <MoneyBack ticket={ticket} />
      {submitted?.messages.map((message) => (
        <p key={message} className="problem" role="alert">
          {message}
        </p>
      ))}
      {isChecking ? (
        <>
          <p role="status">
            We have not heard from the bank yet whether your payment has arrived.{' '}
            {isRunning && 'This page goes on by itself as soon as we have.'} Your ticket comes by mail too.
          </p>
          <noscript>
            <p>Please load this page again in a moment.</p>
          </noscript>
        </>
      ) : (
        canPay && (
          <CheckoutPanel
            key={registration.id}
            registration={registration}
            event={ticket.event}
            onChange={() => refresh().catch(() => {})}
          >
            <OrderLines ticket={ticket} />
          </CheckoutPanel>
        )
      )}
      <p>
        <a href={paths.event({ id: ticket.event.id, clubId: registration.clubId })}>Back to {ticket.event.name}</a>
      </p>
    </div>
  )
}

const ASK_MS = 2_000
/** How often the page asks about the payment before it offers to pay again. */
const MOST_ASKED = 45

/** Asks about the payment until it is final, and then reads the page's data again. Returns whether it is still open. */
function usePaymentCheck(sessionId: string | null, refresh: () => Promise<void>): boolean {
  const [isOpen, setOpen] = useState(sessionId !== null)
  useEffect(() => {
    if (sessionId === null) return
    let isGone = false
    let isPaid = false
    const ask = async (): Promise<boolean> => {
      try {
        const { status, registrationStatus } = await call(paymentApi.sessionStatus, { sessionId }, { background: true })
        isPaid = status === 'complete'
        if (registrationStatus === 'pending') return status === 'expired'
        await refresh()
        return true
      } catch (error) {
        // Without an answer the page asks again.
        return !(error instanceof Refusal) || isDecided(error)
      }
    }
    const poll = async () => {
      for (let asked = 0; asked < MOST_ASKED && !isGone; asked++) {
        if (await ask()) return setOpen(false)
        await new Promise((resolve) => setTimeout(resolve, ASK_MS))
      }
      // A visitor who has paid must not be asked to pay again.
      if (!isGone) setOpen(isPaid)
    }
    void poll()
    return () => {
      isGone = true
    }
  }, [sessionId, refresh])
  return sessionId !== null && isOpen
}

function Registered({ ticket }: { ticket: Ticket }) {
  const { registration, extras, club, event } = ticket
  const holder = { registrationId: registration.id, qrUuid: registration.qrUuid }
  // Only now is the draft no longer needed.
  useEffect(() => forgetDraft(registration.eventId), [registration.eventId])
  return (
    <div className="page narrow">
      <PageTitle title="You are registered" />
      <ClubLink club={club} />
      <div className="ticket">
        <div className={styles.tick} aria-hidden="true">
          <span className="icon check" />
        </div>
        <h1>You are registered</h1>
        <p>
          {ticket.payment && 'Thank you for your payment. '}
          We are sending the ticket to <strong>{registration.registrationData.email}</strong>. You can also keep this
          page: show the code at the door.
        </p>
        {club.email !== '' && (
          <p className="muted small">
            Is the address wrong? Keep this page, and{' '}
            <a href={`mailto:${club.email}?subject=${encodeURIComponent(`My address for ${event.name}`)}`}>
              tell the club the right one
            </a>
            .
          </p>
        )}
      </div>
      <TicketCard ticket={ticket} />
      {extras.length > 0 && (
        <p className="center">
          {extras.length === 1
            ? 'Your voucher is on your ticket.'
            : `Your ${extras.length} vouchers are on your ticket.`}
        </p>
      )}
      <div className="ticket-actions">
        <a className="button" href={toRequest(ticketApi.getCalendarFile, holder).url}>
          <span className="icon calendar-plus" aria-hidden="true" />
          Add to calendar
        </a>
        <a className="button quiet" href={paths.ticket(registration)}>
          <span className="icon ticket" aria-hidden="true" />
          Open ticket
        </a>
      </div>
      <p className="center">
        <a href={paths.club(registration.clubId)}>More events from {club.name}</a>
      </p>
    </div>
  )
}
