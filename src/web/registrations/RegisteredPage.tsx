import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useSearch } from 'wouter'
import { registrationApi } from '../../contract/registrations.ts'
import { query } from '../api/call.ts'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { TicketCard } from './TicketCard.tsx'

/** The end of a registration: the ticket at once, and what happens next. */
export function RegisteredPage() {
  const search = new URLSearchParams(useSearch())
  const registrationId = readId(search.get('registration_id'))
  const qrUuid = search.get('qrUuid') ?? ''
  const { data: ticket } = useSuspenseQuery(query(registrationApi.getRegistration, { registrationId, qrUuid }))
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
