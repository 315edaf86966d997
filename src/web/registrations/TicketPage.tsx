import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { registrationApi } from '../../contract/registrations.ts'
import { query } from '../api/call.ts'
import { readId } from '../read-id.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { GiveBack, TicketActions } from './TicketActions.tsx'
import { TicketCard } from './TicketCard.tsx'

/** A ticket by its address, which its QR code says too. */
export function TicketPage() {
  const { id, qrUuid = '' } = useParams()
  const { data: ticket } = useSuspenseQuery(
    query(registrationApi.getRegistration, { registrationId: readId(id), qrUuid }),
  )
  return (
    <div className="page narrow">
      <PageTitle title={`Ticket: ${ticket.event.name}`} />
      <h1>Your ticket</h1>
      <TicketCard ticket={ticket} />
      <TicketActions ticket={ticket} />
      <GiveBack ticket={ticket} />
    </div>
  )
}
