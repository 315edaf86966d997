import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

/** Shown for a link to no ticket. */
export function NoTicket() {
  return (
    <div className="page narrow">
      <PageTitle title="Ticket not found" />
      <h1>We cannot find this ticket</h1>
      <p>
        Was the link cut off? Open it from your mail again, or copy the whole of it. A ticket whose registration the
        club has removed does not exist any more.
      </p>
      <FindTicketForm title="Or get it by mail again" heading="h2" />
    </div>
  )
}
