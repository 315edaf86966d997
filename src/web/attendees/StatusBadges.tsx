import type { AttendeeRow } from '../../contract/attendees.ts'
import type { Event } from '../../contract/event.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/attendees.ts'
import { serverNow } from '../api/server-time.ts'
import styles from './StatusBadges.module.css'

const looks = { pending: 'badge warm', cancelled: 'badge bad' } as const
const names = { pending: texts.notPaidYet, cancelled: texts.cancelled } as const

/** A panel that is opened before its row is known does not know whether somebody has gone out. */
type Checkin = Omit<NonNullable<AttendeeRow['checkin']>, 'outSince'> & { outSince?: Date | null }

interface Props {
  event: Event
  row: Pick<AttendeeRow, 'registration' | 'mail'> & { checkin: Checkin | null }
  /** What has its own column. */
  without?: { payment: boolean; mail: boolean }
}

/** An attendee's check-in, and what is unusual: nothing is shown for who is registered and not in yet. */
export function StatusBadges({ event, row, without = { payment: false, mail: false } }: Props) {
  const { status } = row.registration
  const at = row.checkin?.status ? row.checkin.checkinTime : null
  const isToday = at !== null && formatDate(at, event.timeZone) === formatDate(serverNow(), event.timeZone)
  const time = at ? formatTime(at, event.timeZone) : ''
  const outSince = at && row.checkin?.outSince
  return (
    <span className="row tight">
      {status !== 'confirmed' && !(status === 'pending' && without.payment) && (
        <span className={looks[status]}>{names[status]()}</span>
      )}
      {at && !outSince && (
        <span className={`badge ${status === 'confirmed' ? 'good' : 'calm'} ${styles.line}`}>
          {isToday ? texts.inAt({ time }) : texts.inOn({ date: formatDate(at, event.timeZone), time })}
        </span>
      )}
      {outSince && (
        <span className={`badge calm ${styles.line}`}>
          {texts.outSince({ time: formatTime(outSince, event.timeZone) })}
        </span>
      )}
      {!without.mail && <MailBadge mail={row.mail} isProblem />}
    </span>
  )
}

/** The state of the ticket's mail; with `isProblem` only if it did not arrive. */
export function MailBadge({ mail, isProblem = false }: { mail: AttendeeRow['mail']; isProblem?: boolean }) {
  if (mail === 'failed') return <span className="badge bad">{texts.mailFailed()}</span>
  if (mail === 'held') return <span className="badge bad">{texts.mailHeld()}</span>
  if (isProblem || mail === null) return null
  return <span className="muted small">{mailNames[mail]()}</span>
}

const mailNames = {
  queued: texts.mailWaiting,
  sent: texts.mailSent,
  dropped: texts.mailDropped,
  opened: texts.mailOpened,
} as const
