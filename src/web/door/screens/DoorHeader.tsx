import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { formatTime } from '../../../contract/values/dates.ts'
import { type Door, type DoorView, serverNow } from '../phone/door.ts'
import { isPast } from '../phone/purge.ts'
import { countUnits } from '../rules/vouchers.ts'
import { hasSound, subscribeSound } from './feedback.ts'

const LINKS = { unknown: 'Connecting …', online: 'Online', offline: 'No network' } as const

interface Props {
  door: Door
  view: DoorView
  isKept: boolean
  /** Somebody wants to see what could not be sent. */
  onStuck: () => void
  variant?: 'main' | 'voucher'
}

/** Where the door stands: event, how many are in, connection, what waits, how old the list is. */
export function DoorHeader({ door, view, isKept, onStuck, variant = 'main' }: Props) {
  const { list, connection, queued, stuck, canKeep } = view
  const { used, total } = useMemo(
    () =>
      variant === 'main' || !view.list ? { used: view.inside, total: view.total } : countUnits(view.list, door.queue),
    [variant, view, door],
  )
  const isReady = isKept && canKeep && list !== null && !isPast(list.event.endsAt, serverNow(door).getTime())
  return (
    <header className="door-header">
      <div className="door-title">
        <h1>{list?.event.name ?? 'Scanner'}</h1>
        <span className={`door-link ${connection} ${isKept ? 'kept' : ''}`} role="status">
          {LINKS[connection]}
        </span>
      </div>
      <ul className="door-facts">
        <li>
          {variant === 'main' ? 'Tickets' : 'Vouchers'}: <strong>{used.toLocaleString('en-GB')}</strong> of{' '}
          {total.toLocaleString('en-GB')} {variant === 'main' ? 'in' : 'redeemed'}
        </li>
        <li>
          <ListAge door={door} />
        </li>
        <li>{isReady ? 'Works without network' : 'Needs network'}</li>
        {view.device.sound && <SoundHint />}
        <li>{queued === 0 ? 'All sent' : `${queued.toLocaleString('en-GB')} to send`}</li>
      </ul>
      {stuck.length > 0 && (
        <div className="door-warning" role="alert">
          {stuck.length === 1 ? 'One scan' : `${stuck.length} scans`} of this phone could not be sent.{' '}
          <button type="button" className="link" onClick={onStuck}>
            See which
          </button>
        </div>
      )}
      {!canKeep && (
        <p className="door-warning" role="alert">
          This browser keeps nothing on the phone: neither the list nor a scan. The door works as long as there is
          network. Leave private browsing, or free some space.
        </p>
      )}
      {canKeep && list && !isKept && connection === 'offline' && (
        <p className="door-warning">Keep this page open: it cannot be opened anew without network.</p>
      )}
    </header>
  )
}

/** How old the list is: without network in minutes, by the server's clock as the phone last heard it. */
function ListAge({ door }: { door: Door }) {
  useTick(5_000)
  const { list, connection, isFresh } = door.view
  if (!list) return 'No list yet'
  if (connection === 'online' && isFresh) return 'List up to date'
  const { readAt, event } = list
  const minutes = Math.floor((serverNow(door).getTime() - readAt.getTime()) / 60_000)
  return `List from ${formatTime(readAt, event.timeZone)}${minutes > 0 ? `, ${minutes} min old` : ''}`
}

/** Browsers keep a page silent until somebody has touched it. */
function SoundHint() {
  const isReady = useSyncExternalStore(subscribeSound, hasSound)
  return isReady ? null : <li>Tap once for sound</li>
}

function useTick(everyMs: number): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
