import * as texts from '../../../texts/generated/ticket.ts'
import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

/** Shown for a link to no ticket. */
export function NoTicket() {
  return (
    <div className="page narrow">
      <PageTitle title={texts.ticketNotFound()} />
      <h1>{texts.weCannotFindThis()}</h1>
      <p>{texts.wasTheLinkCut()}</p>
      <FindTicketForm title={texts.orGetItBy()} heading="h2" />
    </div>
  )
}
