import { imageUrl } from '../../contract/values/images.ts'
import { initialsOf } from '../ui/initials.ts'
import styles from './ClubMark.module.css'

interface Props {
  club: { name: string; logo: string }
  size: 'small' | 'medium' | 'large'
  /** The address of a logo that is not saved yet. */
  preview?: string | null
}

/** A club's logo, or its initials on a tile. Decorative: the club's name stands beside it. */
export function ClubMark({ club: { name, logo }, size, preview = null }: Props) {
  const src = preview ?? (logo === '' ? null : imageUrl('club-logo', logo))
  if (src !== null) return <img className={styles.mark} data-size={size} src={src} alt="" />
  return (
    <span className={styles.mark} data-size={size} data-initials="" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
