import * as staffTexts from '../../../texts/generated/staff.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import styles from '../../events/ClubLink.module.css'
import { ClubLink } from '../../events/ClubLink.tsx'
import { FindTicketForm } from '../../landing/FindTicketForm.tsx'
import { ClubColours } from '../../layouts/ClubColours.tsx'
import * as paths from '../../paths.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Parts } from '../../ui/Parts.tsx'
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
      {former && <ClubColours colour={former.club.colour} />}
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
      <p>{reason ?? texts.notFoundText()}</p>
      {former && <WasFor {...former} />}
      {reason === null && <FindTicketForm title={texts.getByMail()} heading="h2" />}
    </div>
  )
}

function WasFor({ club, event }: FormerTicket) {
  return (
    <p>
      <Parts
        of={texts.wasFor({
          name: event.name,
          event: (name) => (
            <a href={paths.event(event)} lang={club.language}>
              {name}
            </a>
          ),
        })}
      />
    </p>
  )
}
