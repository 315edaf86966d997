import { type Event, mapUrl } from '../../contract/events.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'

/** Time, place and price; the ticket price is left out where a different amount is paid. */
export function EventFacts({ event, hasPrice = true }: { event: Event; hasPrice?: boolean }) {
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
      {hasPrice && <li>{formatPrice(event.ticketPrice, event.currency)}</li>}
    </ul>
  )
}
