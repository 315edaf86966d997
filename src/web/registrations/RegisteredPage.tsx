import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearch } from 'wouter'
import { paymentApi } from '../../contract/payments.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { query } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { paths } from '../paths.ts'
import { CheckoutPanel } from '../payments/CheckoutPanel.tsx'
import { readId } from '../read-id.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { type Ticket, TicketCard } from './TicketCard.tsx'

/** The end of a registration: what is left to pay, or the ticket at once and what happens next. */
export function RegisteredPage() {
  const search = new URLSearchParams(useSearch())
  const registrationId = readId(search.get('registration_id'))
  const qrUuid = search.get('qrUuid') ?? ''
  const { data: ticket } = useSuspenseQuery(query(registrationApi.getRegistration, { registrationId, qrUuid }))
  const { registration } = ticket
  const isChecking = usePaymentCheck(registration.status === 'confirmed' ? null : search.get('session_id'))
  if (registration.status === 'confirmed') return <Registered ticket={ticket} />
  const canPay = registration.status === 'pending' || registration.cancelReason === 'hold ended'
  return (
    <div className="page narrow">
      <PageTitle title={canPay ? 'Almost there' : 'Not registered'} />
      <h1>{canPay ? 'Almost there' : 'This registration is cancelled'}</h1>
      {isChecking ? (
        <p role="status">We are looking whether your payment has arrived. This takes a few seconds.</p>
      ) : (
        canPay && <CheckoutPanel registration={registration} event={ticket.event} />
      )}
      <p>
        <Link href={paths.event({ id: ticket.event.id, clubId: registration.clubId })}>
          Back to {ticket.event.name}
        </Link>
      </p>
    </div>
  )
}

/** After a payment the bank is asked until it says what became of it; while it works on it the page waits. */
function usePaymentCheck(sessionId: string | null): boolean {
  const status = useQuery({
    ...query(paymentApi.sessionStatus, { sessionId: sessionId ?? '' }),
    enabled: sessionId !== null,
    refetchInterval: ({ state }) =>
      state.data?.status === 'complete' && state.data.registrationStatus === 'pending' ? 2_000 : false,
  })
  const known = status.data?.registrationStatus
  useEffect(() => {
    if (known !== undefined && known !== 'pending')
      void queryClient.invalidateQueries({ queryKey: [registrationApi.getRegistration.path] })
  }, [known])
  if (sessionId === null) return false
  return status.isPending || (status.data?.status === 'complete' && known === 'pending')
}

function Registered({ ticket }: { ticket: Ticket }) {
  const { registration } = ticket
  return (
    <div className="page narrow">
      <PageTitle title="You are registered" />
      <div className="ticket">
        <div className="tick" aria-hidden="true">
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
      <p className="row">
        <a className="button quiet" href={paths.ticket(registration)}>
          Open the ticket page
        </a>
        <Link href={paths.club(registration.clubId)}>More events of {ticket.club.name}</Link>
      </p>
    </div>
  )
}
