import { IconChevronLeft } from '@tabler/icons-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { formatTime } from '../../../contract/values/dates.ts'
import { paths } from '../../paths.ts'
import { type Door, type DoorView, serverNow } from '../phone/door.ts'
import { isExpired } from '../phone/purge.ts'
import { countUnits } from '../rules/vouchers.ts'
import styles from './DoorHeader.module.css'
import { hasSound, subscribeSound } from './feedback.ts'

const CONNECTIONS = { unknown: 'Connecting …', online: 'Online', offline: 'No network' } as const

interface Props {
  door: Door
  view: DoorView
  opensOffline: boolean
  /** Opens the scans that could not be sent. */
  onStuck: () => void
  variant?: 'main' | 'voucher'
}

/** The state of the door: event, number of check-ins, connection, scans to send, age of the list. */
export function DoorHeader({ door, view, opensOffline, onStuck, variant = 'main' }: Props) {
  const { list, connection, queued, stuck, canPersist } = view
  const { used, total } = useMemo(
    () =>
      variant === 'main' || !view.list ? { used: view.inside, total: view.total } : countUnits(view.list, door.queue),
    [variant, view, door],
  )
  const isReady =
    opensOffline && canPersist && list !== null && !isExpired(list.event.endsAt, serverNow(door).getTime())
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <Link className={styles.back} to={paths.eventHome(door.eventId)} aria-label="Back to the event">
          <IconChevronLeft size={26} aria-hidden />
        </Link>
        <h1>{list?.event.name ?? 'Scanner'}</h1>
        <span
          className={styles.connection}
          data-connection={connection}
          data-opens-offline={opensOffline || undefined}
          role="status"
        >
          {CONNECTIONS[connection]}
        </span>
      </div>
      <ul className={styles.facts}>
        <li>
          <strong>{used.toLocaleString('en-GB')}</strong> of {total.toLocaleString('en-GB')}{' '}
          {variant === 'main' ? 'in' : 'redeemed'}
          {variant === 'main' && view.unpaid > 0 && ` · ${view.unpaid.toLocaleString('en-GB')} not paid`}
        </li>
        <li>
          <ListAge door={door} />
        </li>
        <li>{isReady ? 'works offline' : 'needs network'}</li>
        <li>{queued === 0 ? 'all sent' : `${queued.toLocaleString('en-GB')} to send`}</li>
        {view.device.sound && <SoundHint />}
      </ul>
      {stuck.length > 0 && (
        <div className={styles.warning} role="alert">
          {stuck.length === 1 ? 'One scan' : `${stuck.length} scans`} of this phone could not be sent.{' '}
          <button type="button" onClick={onStuck}>
            See which
          </button>
        </div>
      )}
      {!canPersist && (
        <p className={styles.warning} role="alert">
          This browser keeps nothing on the phone: neither the list nor a scan. The door works as long as there is
          network. Leave private browsing, or free some space.
        </p>
      )}
      {canPersist && list && !opensOffline && connection === 'offline' && (
        <p className={styles.warning}>Keep this page open: it cannot be opened anew without network.</p>
      )}
    </header>
  )
}

/** The age of the list: without network in minutes, by the phone's estimate of the server's clock. */
function ListAge({ door }: { door: Door }) {
  useTick(5_000)
  const { list, connection, isFresh } = door.view
  if (!list) return 'No list yet'
  if (connection === 'online' && isFresh) return 'Up to date'
  const { readAt, event } = list
  const minutes = Math.floor((serverNow(door).getTime() - readAt.getTime()) / 60_000)
  return `List from ${formatTime(readAt, event.timeZone)}${minutes > 0 ? `, ${minutes} min old` : ''}`
}

/** Browsers play no sound before the first touch. The hint keeps its space after the tap, so that nothing moves under the finger. */
function SoundHint() {
  const isReady = useSyncExternalStore(subscribeSound, hasSound)
  const [wasReady] = useState(isReady)
  return wasReady ? null : <li className={isReady ? styles.factGone : undefined}>Tap once for sound</li>
}

function useTick(everyMs: number): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
