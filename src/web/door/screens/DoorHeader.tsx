import { IconChevronLeft } from '@tabler/icons-react'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { formatTime } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/door.ts'
import { formatNumber } from '../../../texts/numbers.ts'
import * as paths from '../../paths.ts'
import { useMay } from '../../session/may.ts'
import { Parts } from '../../ui/Parts.tsx'
import { type Door, type DoorView, serverNow } from '../phone/door.ts'
import { isExpired } from '../phone/purge.ts'
import { countUnits } from '../rules/vouchers.ts'
import styles from './DoorHeader.module.css'
import { hasSound, subscribeSound } from './feedback.ts'

const connectionTexts = { unknown: texts.connecting, online: texts.online, offline: texts.noNetwork } as const

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
  const may = useMay()
  const { used, total } = useMemo(
    () =>
      variant === 'main' || !view.list ? { used: view.inside, total: view.total } : countUnits(view.list, door.queue),
    [variant, view, door],
  )
  const counts = {
    used: formatNumber(used),
    total: formatNumber(total),
    strong: (text: string) => <strong>{text}</strong>,
  }
  const isReady =
    opensOffline && canPersist && list !== null && !isExpired(list.event.endsAt, serverNow(door).getTime())
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        {may('member') && (
          <Link
            className={styles.back}
            to={may('read') ? paths.eventHome(door.eventId) : paths.adminDashboard}
            aria-label={may('read') ? texts.backToTheEvent() : texts.backToTheEvents()}
          >
            <IconChevronLeft size={26} aria-hidden />
          </Link>
        )}
        <h1>{list?.event.name ?? texts.scanner()}</h1>
        <span
          className={styles.connection}
          data-connection={connection}
          data-opens-offline={opensOffline || undefined}
          role="status"
        >
          {connectionTexts[connection]()}
        </span>
      </div>
      <ul className={styles.facts}>
        <li>
          <Parts of={(variant === 'main' ? texts.insideOf : texts.redeemedOf)(counts)} />
          {variant === 'main' && view.unpaid > 0 && ` · ${texts.unpaidCount({ count: view.unpaid })}`}
        </li>
        <li>
          <ListAge door={door} />
        </li>
        <li>{isReady ? texts.worksOffline() : texts.needsNetwork()}</li>
        <li>{queued === 0 ? texts.allSent() : texts.toSend({ count: queued })}</li>
        {view.device.sound && <SoundHint />}
      </ul>
      {stuck.length > 0 && (
        <div className={styles.warning} role="alert">
          {texts.stuckScans({ count: stuck.length })}{' '}
          <button type="button" onClick={onStuck}>
            {texts.seeWhich()}
          </button>
        </div>
      )}
      {!canPersist && (
        <p className={styles.warning} role="alert">
          {texts.nothingStored()}
        </p>
      )}
      {canPersist && list && !opensOffline && connection === 'offline' && (
        <p className={styles.warning}>{texts.keepOpen()}</p>
      )}
    </header>
  )
}

/** The age of the list: without network in minutes, by the phone's estimate of the server's clock. */
function ListAge({ door }: { door: Door }) {
  useTick(5_000)
  const { list, connection, isFresh } = door.view
  if (!list) return texts.listMissing()
  if (connection === 'online' && isFresh) return texts.upToDate()
  const { readAt, event } = list
  const minutes = Math.floor((serverNow(door).getTime() - readAt.getTime()) / 60_000)
  const time = formatTime(readAt, event.timeZone)
  return minutes > 0 ? texts.listFromOld({ time, minutes }) : texts.listFrom({ time })
}

/** Browsers play no sound before the first touch. The hint keeps its space after the tap, so that nothing moves under the finger. */
function SoundHint() {
  const isReady = useSyncExternalStore(subscribeSound, hasSound)
  const [wasReady] = useState(isReady)
  if (wasReady) return null
  return <li className={`${styles.sound} ${isReady ? styles.factGone : ''}`}>{texts.tapOnceForSound()}</li>
}

function useTick(everyMs: number): void {
  const [, setCount] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
