import { Link } from 'react-router'
import type { HistoryChange, HistoryEntry } from '../../contract/history.ts'
import { formatTime, spanLines } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/history.ts'
import * as paths from '../paths.ts'
import { Parts } from '../ui/Parts.tsx'
import { byDay } from './by-day.ts'
import { foldAlike } from './fold-alike.ts'
import styles from './HistoryPage.module.css'

/** Entries of the history under the days on which they were made; many in a row that say the same are folded. */
export function HistoryDays({ entries, timeZone }: { entries: readonly HistoryEntry[]; timeZone: string }) {
  return byDay(entries, timeZone).map(({ key, entries: [first, ...rest] }) => (
    <section key={key} className={styles.day} aria-labelledby={`day-${key}`}>
      <h2 id={`day-${key}`}>{spanLines(first.at, first.at, timeZone).day}</h2>
      <ol className={styles.entries}>
        {foldAlike([first, ...rest]).map(([entry, ...more]) =>
          more.length === 0 ? (
            <Entry key={entry.id} entry={entry} timeZone={timeZone} />
          ) : (
            <Folded key={entry.id} entries={[entry, ...more]} timeZone={timeZone} />
          ),
        )}
      </ol>
    </section>
  ))
}

/** Entries that say the same of different people or at different times. */
function Folded({ entries, timeZone }: { entries: [HistoryEntry, ...HistoryEntry[]]; timeZone: string }) {
  const [latest] = entries
  const names = namesIn(entries)
  return (
    <li>
      <Time entry={latest} timeZone={timeZone} />
      <div>
        <p>
          <strong>{latest.action}</strong>
          {names !== '' && <span>{names}</span>}
        </p>
        <Circumstances entry={latest} />
        <details>
          <summary className="folds">{texts.entries({ count: entries.length })}</summary>
          <ol className={styles.folded}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} timeZone={timeZone} isFolded />
            ))}
          </ol>
        </details>
      </div>
    </li>
  )
}

/** How many names a folded row has. */
const NAMED = 3

/** `Ada, Ben, Chloé and 27 more`. */
function namesIn(entries: readonly HistoryEntry[]): string {
  const all = [...new Set(entries.map(({ about }) => about))].filter((about) => about !== '')
  const names = all.slice(0, NAMED).join(', ')
  return all.length <= NAMED ? names : texts.andMore({ names, count: all.length - NAMED })
}

interface EntryProps {
  entry: HistoryEntry
  timeZone: string
  /** Whether what was done, and by whom, stands above. */
  isFolded?: boolean
}

function Entry({ entry, timeZone, isFolded = false }: EntryProps) {
  const { id, action, about, changes } = entry
  return (
    // The first one that “Show earlier” brings takes the focus.
    <li data-entry={id} tabIndex={-1}>
      <Time entry={entry} timeZone={timeZone} />
      <div>
        <p>
          {(!isFolded || (about === '' && changes.length === 0)) && <strong>{action}</strong>}
          {about !== '' && <About entry={entry} />}
        </p>
        {!isFolded && <Circumstances entry={entry} />}
        <Changes changes={changes} />
      </div>
    </li>
  )
}

function Time({ entry: { at }, timeZone }: { entry: HistoryEntry; timeZone: string }) {
  return <time dateTime={at.toISOString()}>{formatTime(at, timeZone)}</time>
}

/** By whom it was done, and to which event. */
function Circumstances({ entry: { by, event } }: { entry: HistoryEntry }) {
  return (
    <p className="muted small">
      <span>{texts.byPerson({ name: by })}</span>
      {event && <EventName event={event} />}
    </p>
  )
}

/** With more changes than these, an entry shows the first of them and folds the rest. */
const SHOWN_CHANGES = 4

function Changes({ changes }: { changes: readonly HistoryChange[] }) {
  if (changes.length === 0) return null
  const shown = changes.length > SHOWN_CHANGES ? changes.slice(0, SHOWN_CHANGES - 1) : changes
  const rest = changes.slice(shown.length)
  return (
    <>
      <ChangeList changes={shown} />
      {rest.length > 0 && (
        <details className="small">
          <summary className="folds">{texts.moreChanges({ count: rest.length })}</summary>
          <ChangeList changes={rest} />
        </details>
      )}
    </>
  )
}

function ChangeList({ changes }: { changes: readonly HistoryChange[] }) {
  return (
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
