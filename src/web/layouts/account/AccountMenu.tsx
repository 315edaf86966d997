import { useRef } from 'react'
import { Link } from 'react-router'
import * as texts from '../../../texts/generated/staff.ts'
import * as paths from '../../paths.ts'
import { may } from '../../session/may.ts'
import type { SessionUser } from '../../session/session.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { useClosing } from '../../ui/dialogs/use-closing.ts'
import styles from './AccountMenu.module.css'

interface Props {
  user: SessionUser
  /** Opens the list of keyboard shortcuts, on pages that have any. */
  onShortcuts?: () => void
}

/** The signed-in person: their photo or initials, and behind it their profile, their club's settings and page, and the way out. */
export function AccountMenu({ user, onShortcuts }: Props) {
  const { fullName, email, image, role, clubId } = user
  const menu = useRef<HTMLDetailsElement>(null)
  useClosing(menu)
  const close = () => menu.current?.removeAttribute('open')
  return (
    <details ref={menu} className={styles.account}>
      <summary aria-label={texts.account({ name: fullName })}>
        <Avatar name={fullName} image={image} />
        <span className={styles.name} aria-hidden>
          {fullName}
        </span>
      </summary>
      <div>
        <p>
          <strong>{fullName}</strong>
          <span className="muted small">{email}</span>
        </p>
        <Link to={paths.profile} onClick={close}>
          {texts.profile()}
        </Link>
        {role === 'sudo' && (
          <Link to={paths.platform} onClick={close}>
            {texts.platform()}
          </Link>
        )}
        {role === 'admin' && clubId !== null && (
          <div className={styles.club}>
            {may(user, 'team') && (
              <Link to={paths.team} onClick={close}>
                {texts.team()}
              </Link>
            )}
            {may(user, 'events') && (
              <Link to={paths.history} onClick={close}>
                {texts.history()}
              </Link>
            )}
            {may(user, 'attendees') && (
              <Link to={paths.personalData} onClick={close}>
                {texts.personalData()}
              </Link>
            )}
            {may(user, 'club') && (
              <Link to={paths.editClub(clubId)} onClick={close}>
                {texts.clubSettings()}
              </Link>
            )}
            <a href={paths.club(clubId)}>{texts.clubPage()}</a>
          </div>
        )}
        {onShortcuts && (
          <button
            type="button"
            onClick={() => {
              close()
              // The dialog returns the focus to where it was, and this entry is hidden then.
              menu.current?.querySelector('summary')?.focus()
              onShortcuts()
            }}
          >
            {texts.keyboardShortcuts()}
          </button>
        )}
        <Link to={paths.signout} className={styles.last}>
          {texts.signOut()}
        </Link>
      </div>
    </details>
  )
}
