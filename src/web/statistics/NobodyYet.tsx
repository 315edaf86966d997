import { Link } from 'react-router'
import type { Event } from '../../contract/event.ts'
import { type EventState, eventState } from '../../contract/event-state.ts'
import { paths } from '../paths.ts'

interface Props {
  event: Event
  now: Date
  /** Whether this is the event's own club, which can do something about it. */
  isAdmin: boolean
  /** Opens the form to add somebody, where that is on the same page. */
  onAdd?: () => void
}

type To = (event: Event) => string

const home: To = ({ id }) => paths.eventHome(id)
const attendees: To = ({ id }) => paths.attendees(id)

const share = {
  words: 'Tell people about the event: send them its link, or print its poster.',
  action: 'Share the event',
  to: home,
}
const add = {
  words: 'Nobody can register on the event’s page now. You can still add people yourself.',
  action: 'Add somebody',
  to: attendees,
}

const steps: Readonly<Record<EventState, { words: string; action: string; to: To }>> = {
  draft: { words: 'Nobody can register before the event is published.', action: 'Go on to publish it', to: home },
  'not open': {
    ...share,
    words: 'Registration is not open yet. Until then you can already tell people about the event.',
  },
  open: share,
  'few left': share,
  'on now': add,
  'sold out': add,
  closed: add,
  over: {
    words: 'The event is over. To hold it again, duplicate it on its overview: the copy gets another day.',
    action: 'Open the overview',
    to: home,
  },
  cancelled: { words: 'The event is cancelled.', action: 'Open the overview', to: home },
}

/** Shown instead of figures while there are none, with what to do next. */
export function NobodyYet({ event, now, isAdmin, onAdd }: Props) {
  const state = eventState(event, now)
  const { words, action, to } = steps[state]
  const isPast = state === 'over' || state === 'cancelled'
  return (
    <section className="card" aria-labelledby="nobody">
      <h2 id="nobody">{isPast ? 'Nobody registered' : 'Nobody has registered yet'}</h2>
      <p>{words}</p>
      {!isPast && (
        <p className="muted">
          As soon as somebody registers, {onAdd ? 'they appear' : 'the figures appear'} here by themselves.
        </p>
      )}
      {isAdmin && (
        <div className="row">
          {!(onAdd && action === add.action) && (
            <Link className="button" to={to(event)}>
              {action}
            </Link>
          )}
          {onAdd && (
            <button type="button" className={action === add.action ? 'button' : 'button light'} onClick={onAdd}>
              {add.action}
            </button>
          )}
        </div>
      )}
    </section>
  )
}
