import * as texts from '../../../texts/generated/ticket.ts'
import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

/** Shown for a link to no ticket. */
export function NoTicket() {
  return (
    <div className="page narrow">
      <PageTitle title={texts.ticketNotFound()} />
      <h1>{texts.notFoundHeading()}</h1>
      <p>{texts.notFoundText()}</p>
      <FindTicketForm title={texts.getByMail()} heading="h2" />
    </div>
  )
}
