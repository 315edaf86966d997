import * as staffTexts from '../../../texts/generated/staff.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import styles from '../../events/ClubLink.module.css'
import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { paths } from '../../paths.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'

interface Props {
  /** Why there is none, where that is known. */
  reason: string | null
}

/** Shown for a link to no ticket. */
export function NoTicket({ reason }: Props) {
  return (
    <div className="page narrow">
      <PageTitle title={texts.ticketNotFound()} />
      <a className={styles.club} href={paths.landing}>
        <img src="/favicon.svg" alt="" width="32" height="32" />
        {staffTexts.turnout()}
      </a>
      <h1>{reason === null ? texts.notFoundHeading() : texts.ticketVoid()}</h1>
      <p>{reason ?? texts.notFoundText()}</p>
      {reason === null && <FindTicketForm title={texts.getByMail()} heading="h2" />}
    </div>
  )
}
