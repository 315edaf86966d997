import type { ReactNode } from 'react'
import { teamRoleNames } from '../../contract/team-role-names.ts'
import type { Member } from '../../contract/users.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/users.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { useNow } from '../ui/use-now.ts'
import styles from './Person.module.css'

/** Somebody of a club's team, or invited to it: who they are, what they may do, and what became of the invitation. */
export function Person({ of: person, children }: { of: Member; children?: ReactNode }) {
  const { fullName, email, image, invitedUntil, isUndelivered } = person
  return (
    <div className={styles.person}>
      <Avatar name={fullName} image={image} />
      <div className={styles.facts}>
        <div>
          <strong>{fullName}</strong> {children}
        </div>
        <div className="muted small">{email}</div>
        <div className="small">{placeText(person)}</div>
        {invitedUntil && <InvitationState until={invitedUntil} isUndelivered={isUndelivered} />}
      </div>
    </div>
  )
}

function placeText({ teamRole, eventIds }: Member): string {
  const role = teamRoleNames[teamRole ?? 'owner']()
  return eventIds === null ? role : `${role} · ${texts.atEvents({ count: eventIds.length })}`
}

function InvitationState({ until, isUndelivered }: { until: Date; isUndelivered: boolean }) {
  const now = useNow()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (until <= now) return <span className="badge warm">{texts.invitationExpired()}</span>
  if (isUndelivered) return <span className="badge warm">{texts.invitationUndelivered()}</span>
  return <span className="badge calm">{texts.invitedUntil({ date: formatDate(until, timeZone) })}</span>
}
