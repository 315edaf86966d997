import { IconWifiOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { boardApi } from '../../contract/board.ts'
import { isDecided } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/board.ts'
import { query } from '../api/query.ts'
import { Loading } from '../ui/Loading.tsx'
import { useOnline } from '../ui/use-online.ts'
import { Arrivals } from './Arrivals.tsx'
import styles from './Board.module.css'
import { PhoneRow } from './PhoneRow.tsx'
import { byUrgency, stateOf } from './phone-state.ts'
import { Tiles } from './Tiles.tsx'
import { WalkInPlaces } from './WalkInPlaces.tsx'

const LIVE_MS = 5_000
/** Without an answer for so long, in ms, the board says how old it is. */
const LATE_MS = 15_000

/** The phones at the door and the people who arrive, read again while the page is open. Without network, as they were last. */
export function Board({ event }: { event: Event }) {
  const isOnline = useOnline()
  const { data, error, failureCount, isError, dataUpdatedAt } = useQuery({
    ...query(boardApi.getBoard, { eventId: event.id }),
    refetchInterval: ({ state }) => (isDecided(state.error) ? false : LIVE_MS),
  })
  const isLate = useIsLate(dataUpdatedAt)
  // A refusal that does not change, such as for an event that was removed: nothing is asked again.
  const refusal = isDecided(error) ? error : null
  if (!data)
    return isError || failureCount > 0 ? (
      <p className="card" role="alert">
        {refusal?.message ?? texts.notLoaded()}
      </p>
    ) : (
      <Loading />
    )
  const { phones, now } = data
  const time = formatTime(new Date(dataUpdatedAt), event.timeZone)
  const shown = phones
    .map((phone) => ({ phone, state: stateOf(phone, now) }))
    .sort((a, b) => byUrgency(a.state, b.state))
  return (
    <>
      {(!isOnline || failureCount > 0 || isError || isLate) && (
        <p className={styles.stale} role="status">
          <IconWifiOff size={20} aria-hidden />
          {refusal ? `${refusal.message} ${texts.stoppedBoard({ time })}` : texts.offlineBoard({ time })}
        </p>
      )}
      <div className={styles.tiles}>
        <Arrivals board={data} />
        <Tiles event={event} board={data} ready={shown.filter(({ state }) => state.look === 'ready').length} />
      </div>
      <section className="card" aria-labelledby="phones">
        <h2 id="phones" className={styles.heading}>
          {texts.phones()}
        </h2>
        {shown.length === 0 ? (
          <p className="muted">{texts.noPhones()}</p>
        ) : (
          <ul className={styles.phones}>
            {shown.map(({ phone, state }) => (
              <PhoneRow key={phone.id} {...{ phone, state, now }} timeZone={event.timeZone} />
            ))}
          </ul>
        )}
      </section>
      <WalkInPlaces eventId={event.id} board={data} />
    </>
  )
}

/** Whether what was read at this time is old by now. */
function useIsLate(readAt: number): boolean {
  const [lateFor, setLateFor] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setLateFor(readAt), Math.max(0, readAt + LATE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [readAt])
  return lateFor === readAt
}
