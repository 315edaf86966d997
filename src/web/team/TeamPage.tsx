import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate } from 'react-router'
import { appUserApi } from '../../contract/users.ts'
import * as texts from '../../texts/generated/team.ts'
import { query } from '../api/query.ts'
import { homeOf } from '../homes.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import { useMay } from '../session/may.ts'
import { useOwner } from '../session/owner.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { MemberRow } from './MemberRow.tsx'
import { RequireFactor } from './RequireFactor.tsx'
import styles from './TeamPage.module.css'

/** The people who run a club's events, and those who are invited to. */
export function TeamPage() {
  const clubId = useOwnClub()
  const { user } = useOwner()
  const { data } = useSuspenseQuery(query(appUserApi.getAppUsers, { clubId }))
  const [isInviting, setInviting] = useState(false)
  const may = useMay()
  // The role may have been changed, also by oneself.
  if (!may('team')) return <Navigate to={homeOf(user)} replace />
  return (
    <div className="page narrow">
      <div className="row spread">
        <div className={styles.head}>
          <h1>{texts.team()}</h1>
          <p className="muted">{texts.intro()}</p>
        </div>
        <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setInviting(true)}>
          {texts.invite()}
        </Button>
      </div>
      <section className="card" aria-label={texts.members()}>
        <ul className={styles.people}>
          {data.admins.map((member) => (
            <MemberRow key={member.id} member={member} clubId={clubId} isSelf={member.id === user.id} />
          ))}
        </ul>
      </section>
      <RequireFactor
        clubId={clubId}
        isRequired={data.needsSecondFactor}
        without={data.admins.filter((member) => !member.hasSecondFactor && !member.invitedUntil).length}
      />
      <InviteDialog clubId={clubId} isOpen={isInviting} onClose={() => setInviting(false)} />
    </div>
  )
}
