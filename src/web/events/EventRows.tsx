import type { Event } from '../../contract/event.ts'
import * as paths from '../paths.ts'
import { DateTile } from './DateTile.tsx'
import styles from './EventRows.module.css'
import { StateBadge } from './StateBadge.tsx'

/** Events as rows: date, name and state, each a link to its page. */
export function EventRows({ events, now }: { events: readonly Event[]; now: Date }) {
  return (
    <ul className={styles.rows}>
      {events.map((event) => (
        <li key={event.id}>
          <a href={paths.event(event)}>
            <DateTile date={event.startsAt} timeZone={event.timeZone} />
            <span>
              <strong>{event.name}</strong>
              <StateBadge event={event} now={now} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
