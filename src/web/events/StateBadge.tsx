import { type Event, opensAt, seatsLeft } from '../../contract/event.ts'
import { type EventState, eventState } from '../../contract/event-state.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/states.ts'

const looks: Readonly<Record<EventState, string>> = {
  draft: '',
  cancelled: 'bad',
  over: 'calm',
  'not open': 'warm',
  'sold out': 'calm',
  'on now': 'good',
  closed: 'calm',
  'few left': 'warm',
  open: 'good',
}

interface Props {
  event: Event
  now: Date
  /** Where more is known than the event itself says. */
  state?: EventState
}

/** An event's state in a word or two. */
export function StateBadge({ event, now, state = eventState(event, now) }: Props) {
  return <span className={`badge ${looks[state]}`}>{stateText(state, event, now)}</span>
}

function stateText(state: EventState, event: Event, now: Date): string {
  const { timeZone } = event
  const opens = opensAt(event)
  switch (state) {
    case 'draft':
      return texts.draft()
    case 'cancelled':
      return texts.cancelled()
    case 'over':
      return texts.over()
    case 'not open':
      return opens ? texts.opens({ when: opensOn(opens, now, timeZone) }) : texts.opensLater()
    case 'sold out':
      return texts.soldOut()
    case 'on now':
      return texts.onNow()
    case 'closed':
      return texts.closed()
    case 'few left':
      return texts.onlyLeft({ count: seatsLeft(event) ?? 0 })
    case 'open':
      return texts.open()
  }
}

/** The day alone, which is shorter; on that day the time. */
function opensOn(opens: Date, now: Date, timeZone: string): string {
  const day = formatDate(opens, timeZone)
  return day === formatDate(now, timeZone) ? formatTime(opens, timeZone) : day
}
