import { formatSpan } from '../../contract/dates.ts'
import { type Event, mapUrl } from '../../contract/events.ts'
import { formatPrice } from '../../contract/money.ts'

/** When, where and for how much. */
export function EventFacts({ event }: { event: Event }) {
  return (
    <ul className="facts">
      <li>
        <time dateTime={event.startsAt.toISOString()}>{formatSpan(event.startsAt, event.endsAt, event.timeZone)}</time>
      </li>
      {event.location && (
        <li>
          <a href={mapUrl(event.location)} rel="noopener nofollow" target="_blank">
            {event.location}
          </a>
        </li>
      )}
      <li>{formatPrice(event.ticketPrice, event.currency)}</li>
    </ul>
  )
}
