import type { Club } from '../../contract/club.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { paths } from '../paths.ts'
import { initialsOf } from '../ui/initials.ts'
import styles from './ClubLink.module.css'

/** The club of an event, above it: its logo or initials, and its name as a link to its page. */
export function ClubLink({ club: { id, name, logo } }: { club: Club }) {
  return (
    <a className={styles.club} href={paths.club(id)}>
      {logo === '' ? (
        <span aria-hidden="true">{initialsOf(name)}</span>
      ) : (
        <img src={imageUrl('club-logo', logo)} alt="" />
      )}
      {name}
    </a>
  )
}
