import type { AttendeeRow } from '../../contract/attendees.ts'
import type { Event } from '../../contract/events.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'

const names = { pending: 'Not paid yet', confirmed: 'Confirmed', cancelled: 'Cancelled' } as const

/** Only what is unusual is a badge, so that it stands out in the list. */
const looks = { pending: 'badge warm', confirmed: 'muted small', cancelled: 'badge bad' } as const

/** An attendee's status: registration, check-in, and a mail that did not arrive. */
export function StatusBadges({
  event,
  row,
}: {
  event: Event
  row: Pick<AttendeeRow, 'registration' | 'checkin' | 'mail'>
}) {
  const { registration, checkin, mail } = row
  const at = checkin?.status ? checkin.checkinTime : null
  const isToday = at !== null && formatDate(at, event.timeZone) === formatDate(event.startsAt, event.timeZone)
  return (
    <span className="row tight">
      {at ? (
        <span className="badge good">
          In {!isToday && formatDate(at, event.timeZone)} {formatTime(at, event.timeZone)}
        </span>
      ) : (
        <span className={looks[registration.status]}>{names[registration.status]}</span>
      )}
      {mail === 'failed' && <span className="badge bad">Mail failed</span>}
      {mail === 'held' && <span className="badge bad">Not sent: too many mails to this address in one day</span>}
      {mail === 'opened' && <span className="muted small">Opened</span>}
      {mail === 'queued' && <span className="muted small">Mail waits</span>}
    </span>
  )
}
