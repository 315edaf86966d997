import { useState } from 'react'
import { Link } from 'react-router'
import { type Event, eventApi } from '../../contract/events.ts'
import { useCall } from '../api/query.ts'
import { EventFacts } from '../events/EventFacts.tsx'
import card from '../events/event-card.module.css'
import { paths } from '../paths.ts'
import { loadAhead } from '../start/reload-when-gone.ts'
import { useOnDemand } from '../ui/use-on-demand.ts'
import styles from './AdminDashboardPage.module.css'

const statuses = {
  draft: { name: 'Draft', look: 'badge' },
  published: { name: 'Published', look: 'badge good' },
  cancelled: { name: 'Cancelled', look: 'badge bad' },
} as const

/** An event with its seats and all that staff can do with it. */
export function StaffEventCard({ event }: { event: Event }) {
  const save = useCall(eventApi.save)
  const { id, status, maxAttendees, registrationCount } = event
  const { name: statusName, look } = statuses[status]
  const publish = () => {
    if (!save.isPending) save.mutate({ id, status: 'published' })
  }
  return (
    <article className={`card ${card.eventCard}`}>
      <div>
        <div className="row spread tight">
          <span className={look}>{statusName}</span>
          <MoreActions event={event} />
        </div>
        <h3>{event.name}</h3>
        <EventFacts event={event} />
        <div>
          <p className="small">
            <strong>{registrationCount}</strong>
            {maxAttendees === null ? ' registered' : ` of ${maxAttendees} places taken`}
          </p>
          {maxAttendees !== null && (
            <progress
              className={styles.taken}
              max={maxAttendees}
              value={registrationCount}
              aria-label={`Places taken of ${event.name}`}
            />
          )}
        </div>
        <div className="row">
          {status === 'draft' && (
            <button type="button" className="button small" aria-disabled={save.isPending} onClick={publish}>
              Publish
            </button>
          )}
          {status === 'published' && (
            <Link className="button small" to={paths.scanner(id)}>
              Open scanner
            </Link>
          )}
          <Link className="button small light" to={paths.attendees(id)}>
            Attendees
          </Link>
          <Link className="button small light" to={paths.editEvent(id)}>
            Edit
          </Link>
        </div>
      </div>
    </article>
  )
}

// Loads the interface kit too, which the dashboard does not need otherwise.
const loadMenu = async () => (await import('./EventMenu.tsx')).EventMenu

/** The button that opens the event's menu; replaced by the menu's own button once that has loaded. */
function MoreActions({ event }: { event: Event }) {
  const [isWanted, setWanted] = useState(false)
  const EventMenu = useOnDemand(loadMenu, isWanted, () => setWanted(false))
  const preload = () => loadAhead(loadMenu)
  if (EventMenu) return <EventMenu event={event} />
  return (
    <button
      type="button"
      className="button small subtle"
      aria-label={`More for ${event.name}`}
      aria-haspopup="menu"
      aria-disabled={isWanted}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    >
      More
    </button>
  )
}
