import type { CSSProperties } from 'react'
import styles from './SeatsBar.module.css'

interface Props {
  label: string
  taken: number
  /** Places that are neither taken nor free, such as those that phones at the door keep; they are shown lighter. */
  kept?: number
  places: number
}

/** How many of an event's places are taken, as a bar. */
export function SeatsBar({ label, taken, kept = 0, places }: Props) {
  const style: CSSProperties & { '--kept'?: string } =
    kept > 0 ? { '--kept': `${Math.min(100, (100 * (taken + kept)) / places)}%` } : {}
  return <progress className={styles.bar} style={style} max={places} value={taken} aria-label={label} />
}
