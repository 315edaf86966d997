import './ticket/ticket.css'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearch } from 'wouter'
import type { Payload } from '../../contract/endpoint.ts'
import { isDecided } from '../../contract/errors.ts'
import { paymentApi } from '../../contract/payments.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { query } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { paths } from '../paths.ts'
import { CheckoutPanel } from '../payments/CheckoutPanel.tsx'
import { readId } from '../read-id.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { useNow } from '../ui/use-now.ts'
import { forgetDraft } from './draft.ts'
import styles from './RegisteredPage.module.css'
import { canStillPay, MoneyBack } from './ticket/MoneyBack.tsx'
import { TicketCard } from './ticket/TicketCard.tsx'
import type { Ticket } from './ticket/ticket.ts'

/** The end of a registration: what is left to pay, or the ticket at once and what happens next. */
export function RegisteredPage() {
  const search = new URLSearchParams(useSearch())
  const registrationId = readId(search.get('registration_id'))
  const qrUuid = search.get('qrUuid') ?? ''
  const { data: ticket } = useSuspenseQuery(query(registrationApi.getRegistration, { registrationId, qrUuid }))
  const { registration } = ticket
  const isChecking = usePaymentCheck(registration.status === 'confirmed' ? null : search.get('session_id'))
  const isLate = registration.status === 'cancelled' && ticket.payment !== null
  const canPay = canStillPay(ticket, useNow()) && !isLate
  if (registration.status === 'confirmed') return <Registered ticket={ticket} />
  return (
    <div className="page narrow">
      <PageTitle title={canPay ? 'Almost there' : 'Not registered'} />
      <h1>{canPay ? 'Almost there' : 'You are not registered'}</h1>
      <MoneyBack ticket={ticket} />
      {isChecking ? (
        <p role="status">
          We have not heard from the bank yet whether your payment has arrived. This page goes on by itself as soon as
          we have. Your ticket comes by mail too.
        </p>
      ) : (
        canPay && <CheckoutPanel key={registration.id} registration={registration} event={ticket.event} />
      )}
      <p>
        <Link href={paths.event({ id: ticket.event.id, clubId: registration.clubId })}>
          Back to {ticket.event.name}
        </Link>
      </p>
    </div>
  )
}

const ASK_MS = 2_000
/** How often the bank is asked before the page offers to pay again. */
const MOST_ASKED = 45

/** Polls the payment until it has a final state. Returns whether it is still open. */
function usePaymentCheck(sessionId: string | null): boolean {
  const isKnown = (data: Payload<typeof paymentApi.sessionStatus> | undefined) =>
    data !== undefined && (data.registrationStatus !== 'pending' || data.status === 'expired')
  const status = useQuery({
    ...query(paymentApi.sessionStatus, { sessionId: sessionId ?? '' }),
    enabled: sessionId !== null,
    refetchInterval: ({ state }) =>
      isKnown(state.data) || isDecided(state.error) || timesAsked(state) >= MOST_ASKED ? false : ASK_MS,
  })
  const asked = timesAsked(queryClient.getQueryState([paymentApi.sessionStatus.path, { sessionId: sessionId ?? '' }]))
  const known = status.data?.registrationStatus
  useEffect(() => {
    if (known !== undefined && known !== 'pending')
      void queryClient.invalidateQueries({ queryKey: [registrationApi.getRegistration.path] })
  }, [known])
  if (sessionId === null || isKnown(status.data) || isDecided(status.error)) return false
  return status.data?.status === 'complete' || asked < MOST_ASKED
}

/** How often it was asked, with an answer or without. */
function timesAsked(state: { dataUpdateCount: number; errorUpdateCount: number } | undefined): number {
  return state ? state.dataUpdateCount + state.errorUpdateCount : 0
}

function Registered({ ticket }: { ticket: Ticket }) {
  const { registration, extras } = ticket
  const vouchers = [...new Set(extras.map(({ name }) => name))].map(
    (name) => `${extras.filter((each) => each.name === name).length} × ${name}`,
  )
  // Only now nothing of what was filled in is needed any more.
  useEffect(() => forgetDraft(registration.eventId), [registration.eventId])
  return (
    <div className="page narrow">
      <PageTitle title="You are registered" />
      <div className="ticket">
        <div className={styles.tick} aria-hidden="true">
          ✓
        </div>
        <h1>You are registered</h1>
        <p>
          {ticket.payment && 'Thank you for your payment. '}
          We are sending the ticket to <strong>{registration.registrationData.email}</strong>. You can also keep this
          page: show the code at the door.
        </p>
      </div>
      <TicketCard ticket={ticket} />
      {vouchers.length > 0 && <p>With your vouchers on the ticket page: {vouchers.join(', ')}.</p>}
      <p className="row">
        <a className="button quiet" href={paths.ticket(registration)}>
          Open the ticket page
        </a>
        <Link href={paths.club(registration.clubId)}>More events of {ticket.club.name}</Link>
      </p>
    </div>
  )
}
