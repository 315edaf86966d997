import styles from './SeatsBar.module.css'

/** How many of an event's places are taken, as a bar. */
export function SeatsBar({ label, taken, places }: { label: string; taken: number; places: number }) {
  return <progress className={styles.bar} max={places} value={taken} aria-label={label} />
}
