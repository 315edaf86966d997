import { useQuery } from '@tanstack/react-query'
import { attendeeApi } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import { formatDate, formatTime } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/attendees.ts'
import { query } from '../../api/query.ts'
import styles from './AttendeePanel.module.css'

/** What happened to a registration, latest first. */
export function Timeline({ event, registrationId }: { event: Event; registrationId: number }) {
  const { data: entries } = useQuery(query(attendeeApi.getTimeline, { registrationId, eventId: event.id }))
  if (!entries) return null
  return (
    <section aria-labelledby="timeline">
      <h3 id="timeline">{texts.whatHappened()}</h3>
      <ol className={styles.timeline}>
        {entries.map(({ at, kind, text, by }) => (
          <li key={`${kind} ${at.getTime()} ${text}`}>
            <time dateTime={at.toISOString()}>
              {formatDate(at, event.timeZone)} {formatTime(at, event.timeZone)}
            </time>{' '}
            <span>
              {text}
              {by && <span className="muted"> {texts.byPerson({ name: by })}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
