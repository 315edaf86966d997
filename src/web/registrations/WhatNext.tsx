import type { Club } from '../../contract/club.ts'
import { calendarFileUrl, type Event } from '../../contract/event.ts'
import { eventState } from '../../contract/event-state.ts'
import * as texts from '../../texts/generated/whatNext.ts'
import { WriteToClub } from '../events/EventActions.tsx'
import { EventRows } from '../events/EventRows.tsx'
import * as paths from '../paths.ts'
import styles from './WhatNext.module.css'

export interface WhatNextProps {
  event: Event
  club: Club
  others: readonly Event[]
  now: Date
}

/** What a visitor can do while nobody can register. */
export function WhatNext({ event, club, others, now }: WhatNextProps) {
  const state = eventState(event, now)
  return (
    <>
      {state === 'not open' && (
        <a className="button wide" href={calendarFileUrl(event, 'opening')}>
          {texts.addReminder()}
        </a>
      )}
      {(state === 'sold out' || state === 'closed') && (
        <WriteToClub event={event} club={club} className="button quiet wide" />
      )}
      {others.length > 0 ? (
        <>
          <h3 className={styles.more}>{texts.moreFrom({ club: club.name })}</h3>
          <EventRows events={others} now={now} />
        </>
      ) : (
        <p>
          <a className="button quiet wide" href={paths.club(club.id)}>
            {texts.seeOthers()}
          </a>
        </p>
      )}
    </>
  )
}
