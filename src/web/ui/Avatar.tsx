import { imageUrl } from '../../contract/values/images.ts'
import styles from './Avatar.module.css'
import { initialsOf } from './initials.ts'

interface Props {
  name: string
  /** The file of the photo; empty or `null` as text without one. */
  image: string
  /** The address of a photo that is not saved yet. */
  preview?: string | null
  size?: 'small' | 'large'
}

/** A person's photo, or their initials. Decorative: the name stands beside it. */
export function Avatar({ name, image, preview = null, size = 'small' }: Props) {
  const src = preview ?? (image === '' || image === 'null' ? null : imageUrl('user', image))
  if (src !== null) return <img className={styles.avatar} data-size={size} src={src} alt="" />
  return (
    <span className={styles.avatar} data-size={size} data-initials="" aria-hidden="true">
      {initialsOf(name)}
    </span>
  )
}
