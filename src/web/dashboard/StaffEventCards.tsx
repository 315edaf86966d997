import { Link, useNavigate } from 'react-router'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import { besideTile, formatSpan } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/dashboard.ts'
import { formatNumber } from '../../texts/numbers.ts'
import { useCall } from '../api/query.ts'
import { DateTile } from '../events/DateTile.tsx'
import { EventCover } from '../events/EventCover.tsx'
import { isAtDoor } from '../events/home/is-at-door.ts'
import { JUST_PUBLISHED } from '../events/home/just-published.ts'
import { MoreForEvent } from '../events/home/MoreForEvent.tsx'
import { StateBadge } from '../events/StateBadge.tsx'
import * as paths from '../paths.ts'
import { useMay } from '../session/may.ts'
import { Parts } from '../ui/Parts.tsx'
import { SeatsBar } from '../ui/SeatsBar.tsx'
import styles from './StaffEventCards.module.css'

interface Props {
  events: readonly Event[]
  /** The club's colour; empty for none. */
  colour: string
  now: Date
}

/** Events as cards. */
export function StaffEventCards({ events, colour, now }: Props) {
  return (
    <ul className={`cards ${styles.list}`}>
      {events.map((event) => (
        <li key={event.id}>
          <StaffEventCard event={event} colour={colour} now={now} />
        </li>
      ))}
    </ul>
  )
}

/** An event with its seats and what is most often done with it. */
function StaffEventCard({ event, colour, now }: { event: Event; colour: string; now: Date }) {
  const { id, name, startsAt, endsAt, timeZone, location, maxAttendees, registrationCount, walkInPlaces } = event
  const may = useMay()
  return (
    <article className={`card ${styles.event}`} data-cancelled={event.status === 'cancelled' || undefined}>
      <EventCover event={event} colour={colour} className={styles.cover} sizes="26rem" />
      <div className={`row spread tight ${styles.state}`}>
        <StateBadge event={event} now={now} />
        {may('read') && <MoreForEvent event={event} />}
      </div>
      <div className={styles.head}>
        <DateTile date={startsAt} timeZone={timeZone} />
        <div>
          <h3>
            <Link to={may('read') ? paths.eventHome(id) : paths.scanner(id)}>{name}</Link>
          </h3>
          <p className="muted small">
            {/* The tile shows the day and the month. */}
            <span aria-hidden="true">{besideTile(startsAt, endsAt, { timeZone, deviceZone: deviceZone(), now })}</span>
            <span className={styles.spoken}>{formatSpan(startsAt, endsAt, timeZone)}</span>
          </p>
          {location && <p className={`muted small ${styles.place}`}>{location}</p>}
        </div>
      </div>
      <div className={styles.seats}>
        <p className="small">
          <Parts
            of={
              maxAttendees === null
                ? texts.registered({ count: formatNumber(registrationCount), strong })
                : texts.placesTaken({
                    count: formatNumber(registrationCount),
                    places: formatNumber(maxAttendees),
                    strong,
                  })
            }
          />
        </p>
        {maxAttendees !== null && (
          <SeatsBar
            label={texts.placesTakenOf({ name })}
            taken={registrationCount}
            kept={walkInPlaces}
            places={maxAttendees}
          />
        )}
      </div>
      <div className={styles.actions}>
        {may('read') ? <FirstAction event={event} now={now} /> : <ScannerLink id={id} />}
        {event.status === 'draft' ? (
          <a className="button small light" href={paths.event(event)}>
            {texts.preview()}
          </a>
        ) : (
          may('read') && (
            <Link className={`button small light ${styles.usual}`} to={paths.attendees(id)}>
              {texts.attendees()}
            </Link>
          )
        )}
      </div>
    </article>
  )
}

const strong = (text: string) => <strong>{text}</strong>

const deviceZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

function ScannerLink({ id }: { id: number }) {
  return (
    <Link className="button small" to={paths.scanner(id)}>
      {texts.openTheScanner()}
    </Link>
  )
}

/** What the club most likely wants to do with the event now. */
function FirstAction({ event, now }: { event: Event; now: Date }) {
  const save = useCall(eventApi.save)
  const navigate = useNavigate()
  const { id, status, endsAt } = event
  const may = useMay()
  const publish = () => {
    if (save.isPending) return
    const onSuccess = () => void navigate(paths.eventHome(id), { state: JUST_PUBLISHED })
    save.mutate({ id, status: 'published' }, { onSuccess })
  }
  if (status === 'draft' && may('events'))
    return (
      <button type="button" className="button small" aria-disabled={save.isPending} onClick={publish}>
        {texts.publish()}
      </button>
    )
  if (status === 'published' && endsAt <= now)
    return (
      <Link className={`button small light ${styles.usual}`} to={paths.statistics(id)}>
        {texts.statistics()}
      </Link>
    )
  if (status === 'published' && isAtDoor(event, now) && may('door')) return <ScannerLink id={id} />
  // The card's title leads to the overview.
  return null
}
