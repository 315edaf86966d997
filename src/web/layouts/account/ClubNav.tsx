import {
  IconBuildingCommunity,
  IconExternalLink,
  IconHistory,
  IconUserSearch,
  IconUsersGroup,
} from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'
import * as texts from '../../../texts/generated/staff.ts'
import * as paths from '../../paths.ts'
import { targetOf } from '../../routing/target.ts'
import { may } from '../../session/may.ts'
import type { SessionUser } from '../../session/session.ts'
import styles from './ClubNav.module.css'

const icon = { size: 22, stroke: 1.75, 'aria-hidden': true }

/** The pages of the club, in the column beside the page; on narrower screens they are in the account's menu. */
export function ClubNav({ user }: { user: SessionUser }) {
  const { clubId, clubName } = user
  const open = targetOf(useLocation().pathname)
  if (clubId === null) return null
  const current = (path: string) => (targetOf(path) === open ? 'page' : undefined)
  return (
    <nav className={styles.club} data-nav="club" aria-label={texts.club()}>
      <p>{clubName}</p>
      {may(user, 'team') && (
        <Link to={paths.team} aria-current={current(paths.team)}>
          <IconUsersGroup {...icon} />
          {texts.team()}
        </Link>
      )}
      {may(user, 'events') && (
        <Link to={paths.history} aria-current={current(paths.history)}>
          <IconHistory {...icon} />
          {texts.history()}
        </Link>
      )}
      {may(user, 'attendees') && (
        <Link to={paths.personalData} aria-current={current(paths.personalData)}>
          <IconUserSearch {...icon} />
          {texts.personalData()}
        </Link>
      )}
      {may(user, 'club') && (
        <Link to={paths.editClub(clubId)} aria-current={current(paths.editClub(clubId))}>
          <IconBuildingCommunity {...icon} />
          {texts.clubSettings()}
        </Link>
      )}
      <a href={paths.club(clubId)}>
        <IconExternalLink {...icon} />
        {texts.clubPage()}
      </a>
    </nav>
  )
}
