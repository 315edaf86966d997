import { Link } from 'react-router'
import type { Board } from '../../contract/board.ts'
import type { Event } from '../../contract/event.ts'
import * as texts from '../../texts/generated/board.ts'
import { formatNumber } from '../../texts/numbers.ts'
import * as paths from '../paths.ts'
import styles from './Board.module.css'

interface Props {
  event: Event
  board: Board
  /** How many phones are ready. */
  ready: number
}

/** How many phones are ready, and what they let in against the list. */
export function Tiles({ event, board: { phones, conflicts }, ready }: Props) {
  const queued = phones.reduce((sum, phone) => sum + phone.queued, 0)
  return (
    <>
      <section className="card" aria-labelledby="phones-ready">
        <h2 id="phones-ready" className={styles.label}>
          {texts.phonesReady()}
        </h2>
        <p className={styles.figure}>
          <strong>{formatNumber(ready)}</strong> {texts.ofCount({ count: phones.length })}
        </p>
        <p className="muted small">{texts.toSend({ count: queued })}</p>
      </section>
      <section className="card" aria-labelledby="conflicts" data-alert={conflicts > 0 || undefined}>
        <h2 id="conflicts" className={styles.label}>
          {texts.conflicts()}
        </h2>
        <p className={styles.figure}>
          <strong>{formatNumber(conflicts)}</strong>
        </p>
        <p className="muted small">
          {conflicts > 0 ? (
            <Link to={paths.attendees(event.id)}>{texts.lookIntoThem()}</Link>
          ) : (
            texts.conflictsMeaning()
          )}
        </p>
      </section>
    </>
  )
}
