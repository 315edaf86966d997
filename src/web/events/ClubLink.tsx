import type { Club } from '../../contract/club.ts'
import { ClubMark } from '../clubs/ClubMark.tsx'
import * as paths from '../paths.ts'
import styles from './ClubLink.module.css'

/** The club of an event, above it: its logo or initials, and its name as a link to its page. */
export function ClubLink({ club }: { club: Club }) {
  return (
    <a className={styles.club} href={paths.club(club.id)}>
      <ClubMark club={club} size="small" />
      {club.name}
    </a>
  )
}
