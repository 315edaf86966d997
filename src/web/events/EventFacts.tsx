import { type Event, mapUrl } from '../../contract/event.ts'
import { spanLines } from '../../contract/values/dates.ts'
import { formatPrices } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/event.ts'
import { DateTile } from './DateTile.tsx'
import styles from './EventFacts.module.css'

/** Time, place and price; the ticket price is left out where a different amount is paid. */
export function EventFacts({ event, hasPrice = true }: { event: Event; hasPrice?: boolean }) {
  const { startsAt, timeZone, location } = event
  return (
    <ul className={styles.facts}>
      <li>
        <DateTile date={startsAt} timeZone={timeZone} />
        <When event={event} />
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
              {texts.map()}
            </a>
          </span>
        </li>
      )}
      {hasPrice && (
        <li>
          <span className={styles.tile}>
            <span className="icon ticket" aria-hidden="true" />
          </span>
          <strong>{formatPrices(event)}</strong>
        </li>
      )}
    </ul>
  )
}

/** When an event is, in two lines; the second breaks only if it has a date of its own. */
export function When({ event: { startsAt, endsAt, timeZone, status } }: { event: Event }) {
  const { day, times, isOneEvening } = spanLines(startsAt, endsAt, timeZone)
  return (
    <time dateTime={startsAt.toISOString()} className={status === 'cancelled' ? styles.cancelled : undefined}>
      <strong>{day}</strong>
      <br />
      <span className={isOneEvening ? styles.times : undefined}>{times}</span>
    </time>
  )
}
