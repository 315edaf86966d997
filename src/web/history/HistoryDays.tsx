import { Link } from 'react-router'
import type { HistoryChange, HistoryEntry } from '../../contract/history.ts'
import { formatTime, spanLines } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/history.ts'
import * as paths from '../paths.ts'
import { Parts } from '../ui/Parts.tsx'
import { byDay } from './by-day.ts'
import styles from './HistoryPage.module.css'

/** Entries of the history under the days on which they were made. */
export function HistoryDays({ entries, timeZone }: { entries: readonly HistoryEntry[]; timeZone: string }) {
  return byDay(entries, timeZone).map(({ key, entries: [first, ...rest] }) => (
    <section key={key} className={styles.day} aria-labelledby={`day-${key}`}>
      <h2 id={`day-${key}`}>{spanLines(first.at, first.at, timeZone).day}</h2>
      <ol className={styles.entries}>
        {[first, ...rest].map((entry) => (
          <Entry key={entry.id} entry={entry} timeZone={timeZone} />
        ))}
      </ol>
    </section>
  ))
}

function Entry({ entry, timeZone }: { entry: HistoryEntry; timeZone: string }) {
  const { id, at, by, action, about, event, changes } = entry
  return (
    // The first one that “Show earlier” brings takes the focus.
    <li data-entry={id} tabIndex={-1}>
      <time dateTime={at.toISOString()}>{formatTime(at, timeZone)}</time>
      <div>
        <p>
          <strong>{action}</strong>
          {about !== '' && <About entry={entry} />}
        </p>
        <p className="muted small">
          <span>{texts.byPerson({ name: by })}</span>
          {event && <EventName event={event} />}
        </p>
        {changes.length > 0 && (
          <dl className={styles.changes}>
            {changes.map((change, at) => (
              // Two questions may have the same name.
              // biome-ignore lint/suspicious/noArrayIndexKey: the changes of an entry never change.
              <div key={at}>
                <dt>{change.field}</dt>
                <dd>
                  <Change change={change} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}

/** Whom or what it was done to; a link to an attendee who is still there. */
function About({ entry: { about, event, registrationId } }: { entry: HistoryEntry }) {
  return (
    <span>
      {registrationId !== null && event?.isThere ? (
        <Link to={`${paths.attendees(event.id)}?open=${registrationId}`}>{about}</Link>
      ) : (
        about
      )}
    </span>
  )
}

function EventName({ event: { id, name, isThere } }: { event: NonNullable<HistoryEntry['event']> }) {
  const shown = name === '' ? texts.removedEvent() : name
  return <span>{isThere ? <Link to={paths.eventHome(id)}>{shown}</Link> : shown}</span>
}

function Change({ change: { before, after } }: { change: HistoryChange }) {
  if (before === null) return after ?? texts.changed()
  if (after === null) return <del>{before}</del>
  const parts = texts.fromTo({
    before,
    after,
    old: (text) => <del>{text}</del>,
    now: (text) => <ins>{text}</ins>,
  })
  return <Parts of={parts} />
}
