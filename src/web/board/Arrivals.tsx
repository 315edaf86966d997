import type { Board } from '../../contract/board.ts'
import * as texts from '../../texts/generated/board.ts'
import { formatNumber } from '../../texts/numbers.ts'
import styles from './Board.module.css'

/** The length of a bar in time, in ms, and how many there are: an hour. */
const BAR_MS = 5 * 60_000
const BARS = 12

const [WIDTH, HEIGHT, GAP] = [240, 48, 4]

/** How many have arrived of those expected, how fast they come, and the course of the last hour. */
export function Arrivals({ board }: { board: Board }) {
  const { inside, expected, unpaid, lately, outside } = board
  const share = expected === 0 ? 0 : Math.min(100, Math.round((inside / expected) * 100))
  return (
    <section className={`card ${styles.arrivals}`} aria-labelledby="arrived">
      <h2 id="arrived" className={styles.label}>
        {texts.arrived()}
      </h2>
      <p className={styles.figure}>
        <strong>{formatNumber(inside)}</strong> {texts.ofCount({ count: expected })}
        {outside > 0 && <span className="muted small"> · {texts.outside({ count: outside })}</span>}
        {unpaid > 0 && <span className="muted small"> · {texts.notPaid({ count: unpaid })}</span>}
      </p>
      <div className={styles.bar}>
        <span style={{ inlineSize: `${share}%` }} />
      </div>
      <p className="muted small">{lately === 0 ? texts.nobodyLately() : texts.inTenMinutes({ count: lately })}</p>
      <Course board={board} />
    </section>
  )
}

function Course({ board: { arrivals, now } }: { board: Board }) {
  if (arrivals.length === 0) return null
  const last = Math.floor(now.getTime() / BAR_MS)
  const counts = Array.from({ length: BARS }, (_, bar) => {
    const at = last - BARS + 1 + bar
    return arrivals.find((each) => Math.floor(each.at.getTime() / BAR_MS) === at)?.checkins ?? 0
  })
  const most = Math.max(1, ...counts)
  const step = WIDTH / BARS
  return (
    <svg
      className={styles.course}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={texts.lastHour({ counts: counts.join(', ') })}
    >
      {counts.map((count, bar) => {
        const height = Math.max(2, (count / most) * HEIGHT)
        // biome-ignore lint/suspicious/noArrayIndexKey: each bar is the one of its place.
        return <rect key={bar} x={bar * step} y={HEIGHT - height} width={step - GAP} height={height} rx={2} />
      })}
    </svg>
  )
}
