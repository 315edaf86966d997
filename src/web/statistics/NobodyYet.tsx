import { Link } from 'react-router'
import type { Event } from '../../contract/event.ts'
import { type EventState, eventState } from '../../contract/event-state.ts'
import * as texts from '../../texts/generated/nobodyYet.ts'
import type { Message } from '../../texts/language.ts'
import * as paths from '../paths.ts'

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
  words: texts.share,
  action: texts.shareAction,
  to: home,
}
const add = {
  words: texts.add,
  action: texts.addAction,
  to: attendees,
}

const steps: Readonly<Record<EventState, { words: Message; action: Message; to: To }>> = {
  draft: { words: texts.draft, action: texts.draftAction, to: home },
  'not open': {
    ...share,
    words: texts.notOpen,
  },
  open: share,
  'few left': share,
  'on now': add,
  'sold out': add,
  closed: add,
  over: {
    words: texts.over,
    action: texts.openOverview,
    to: home,
  },
  cancelled: { words: texts.cancelled, action: texts.openOverview, to: home },
}

/** Shown instead of figures while there are none, with what to do next. */
export function NobodyYet({ event, now, isAdmin, onAdd }: Props) {
  const state = eventState(event, now)
  const { words, action, to } = steps[state]
  const isPast = state === 'over' || state === 'cancelled'
  return (
    <section className="card" aria-labelledby="nobody">
      <h2 id="nobody">{isPast ? texts.nobody() : texts.nobodyYet()}</h2>
      <p>{words()}</p>
      {!isPast && <p className="muted">{onAdd ? texts.theyAppear() : texts.figuresAppear()}</p>}
      {isAdmin && (
        <div className="row">
          {!(onAdd && action === add.action) && (
            <Link className="button" to={to(event)}>
              {action()}
            </Link>
          )}
          {onAdd && (
            <button type="button" className={action === add.action ? 'button' : 'button light'} onClick={onAdd}>
              {add.action()}
            </button>
          )}
        </div>
      )}
    </section>
  )
}
