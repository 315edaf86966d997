import { type Event, mapUrl } from '../../contract/event.ts'
import { spanLines } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import { DateTile } from './DateTile.tsx'
import styles from './EventFacts.module.css'

/** Time, place and price; the ticket price is left out where a different amount is paid. */
export function EventFacts({ event, hasPrice = true }: { event: Event; hasPrice?: boolean }) {
  const { startsAt, endsAt, timeZone, location } = event
  const [day, times] = spanLines(startsAt, endsAt, timeZone)
  return (
    <ul className={styles.facts}>
      <li>
        <DateTile date={startsAt} timeZone={timeZone} />
        <time dateTime={startsAt.toISOString()}>
          <strong>{day}</strong>
          <br />
          {times}
        </time>
      </li>
      {location && (
        <li>
          <span className={styles.tile}>
            <span className="icon map-pin" aria-hidden="true" />
          </span>
          <span>
            <strong>{location}</strong>
            <br />
            <a href={mapUrl(location)} rel="noopener nofollow" target="_blank">
              Map
            </a>
          </span>
        </li>
      )}
      {hasPrice && (
        <li>
          <span className={styles.tile}>
            <span className="icon ticket" aria-hidden="true" />
          </span>
          <strong>{formatPrice(event.ticketPrice, event.currency)}</strong>
        </li>
      )}
    </ul>
  )
}
