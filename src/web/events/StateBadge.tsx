import { type Event, seatsLeft } from '../../contract/event.ts'
import { type EventState, eventState } from '../../contract/event-state.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'

const badges: Readonly<Record<EventState, readonly [text: string, look: string]>> = {
  draft: ['Draft', ''],
  cancelled: ['Cancelled', 'bad'],
  over: ['Over', 'calm'],
  'not open': ['Opens', 'warm'],
  'sold out': ['Sold out', 'bad'],
  'on now': ['On now', 'good'],
  closed: ['Closed', 'calm'],
  'few left': ['Only', 'warm'],
  open: ['Open', 'good'],
}

/** An event's state in a word or two. */
export function StateBadge({ event, now }: { event: Event; now: Date }) {
  const state = eventState(event, now)
  const [text, look] = badges[state]
  const { registrationOpensAt: opens, timeZone } = event
  return (
    <span className={`badge ${look}`}>
      {text}
      {state === 'not open' && opens && ` ${opensOn(opens, now, timeZone)}`}
      {state === 'few left' && ` ${seatsLeft(event)} left`}
    </span>
  )
}

/** The day alone, which is shorter; on that day the time. */
function opensOn(opens: Date, now: Date, timeZone: string): string {
  const day = formatDate(opens, timeZone)
  return day === formatDate(now, timeZone) ? formatTime(opens, timeZone) : day
}
