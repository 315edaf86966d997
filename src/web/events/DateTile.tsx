import { tileOf } from '../../contract/values/dates.ts'
import styles from './DateTile.module.css'

/** Day and month like a leaf of a calendar, beside the date in words. */
export function DateTile({ date, timeZone }: { date: Date; timeZone: string }) {
  const { day, month } = tileOf(date, timeZone)
  return (
    <span className={styles.leaf} aria-hidden="true">
      <span>{month}</span>
      {day}
    </span>
  )
}
