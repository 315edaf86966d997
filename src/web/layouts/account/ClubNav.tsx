import {
  IconBuildingCommunity,
  IconExternalLink,
  IconHistory,
  IconServer2,
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

/** The pages of the club, or of the platform for its operator, in the column beside the page; on narrower screens they are in the account's menu. */
export function ClubNav({ user }: { user: SessionUser }) {
  const { clubId, clubName, role } = user
  const open = targetOf(useLocation().pathname)
  const current = (path: string) => (targetOf(path) === open ? 'page' : undefined)
  if (role === 'sudo')
    return (
      <nav className={styles.club} data-nav="platform" aria-label={texts.operator()}>
        <p>{texts.operator()}</p>
        <Link to={paths.platform} aria-current={current(paths.platform)}>
          <IconServer2 {...icon} />
          {texts.platform()}
        </Link>
      </nav>
    )
  if (clubId === null) return null
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
