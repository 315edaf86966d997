import { imageUrl } from '../../contract/values/images.ts'
import { initialsOf } from '../ui/initials.ts'
import styles from './ClubMark.module.css'

/** A club's logo, or its initials on a tile. Decorative: the club's name stands beside it. */
export function ClubMark({ club: { name, logo } }: { club: { name: string; logo: string } }) {
  if (logo !== '') return <img className={styles.mark} src={imageUrl('club-logo', logo)} alt="" loading="lazy" />
  return (
    <span className={styles.mark} data-initials aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
