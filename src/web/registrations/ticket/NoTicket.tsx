import * as staffTexts from '../../../texts/generated/staff.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import styles from '../../events/ClubLink.module.css'
import { ClubLink } from '../../events/ClubLink.tsx'
import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { paths } from '../../paths.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import type { FormerTicket } from './ticket.ts'

interface Props {
  /** Why there is none, where that is known. */
  reason: string | null
  /** Of which event it was, where somebody else has it now. */
  former: FormerTicket | null
}

/** Shown for a link to no ticket. */
export function NoTicket({ reason, former }: Props) {
  return (
    <div className="page narrow">
      <PageTitle title={reason === null ? texts.ticketNotFound() : texts.ticketVoid()} />
      {former ? (
        <ClubLink club={former.club} />
      ) : (
        <a className={styles.club} href={paths.landing}>
          <img src="/favicon.svg" alt="" width="32" height="32" />
          {staffTexts.turnout()}
        </a>
      )}
      <h1>{reason === null ? texts.notFoundHeading() : texts.ticketVoid()}</h1>
      {former && <p>{texts.wasFor({ event: former.event.name })}</p>}
      <p>{reason ?? texts.notFoundText()}</p>
      {former && (
        <p>
          <a href={paths.event(former.event)}>{texts.aboutEvent()}</a>
        </p>
      )}
      {reason === null && <FindTicketForm title={texts.getByMail()} heading="h2" />}
    </div>
  )
}
