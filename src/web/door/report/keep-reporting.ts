import { boardApi, REPORT_EVERY_MS } from '../../../contract/board.ts'
import { call } from '../../api/call.ts'
import type { Door } from '../phone/door.ts'
import { type PageFacts, type Report, reportOf, urgentPart } from './report-of.ts'

/** How often a change of the state is looked for, in ms. */
const LOOK_MS = 2_000
/** How long to wait for the answer to a report, in ms: a lost one must not hold back the next. */
const ANSWER_MS = 6_000
/** The longest wait after reports that failed, in ms. */
const LONGEST_PAUSE_MS = 60_000

/** The last report of a scanner that was closed. The next scanner's first comes after it. */
let leaving: Promise<void> = Promise.resolve()

type Facts = Pick<PageFacts, 'opensOffline' | 'camera'>

/**
 * Reports the phone's state to the board until aborted: when it changes, and regularly; then once more that the scanner is closed. One report
 * at a time (only that the scanner is closed does not wait), and none while the queue of scans is sent; a scan that is sent at once does not hold it back. A report that fails is left out.
 */
export function keepReporting(door: Door, facts: () => Facts, signal: AbortSignal): void {
  let sent = { urgent: '', at: Number.NEGATIVE_INFINITY, isShown: true }
  let battery: PageFacts['battery'] = { battery: null, isCharging: false }
  let isBusy = true
  void leaving.then(() => {
    isBusy = false
  })
  const isOnScreen = () => !signal.aborted && document.visibilityState === 'visible'
  let failures = 0
  let notBefore = Number.NEGATIVE_INFINITY
  const look = async () => {
    const isShown = isOnScreen()
    // What is in the queue is more urgent.
    if (door.isGone || door.connection !== 'online' || door.sending) return
    // A page that is being closed may have no other chance to say so, so this does not wait for the answer to an earlier report.
    const isLeaving = sent.isShown && !isShown
    if (!isLeaving && (isBusy || performance.now() < notBefore)) return
    const report = reportOf(door, { ...facts(), isShown, battery })
    const urgent = urgentPart(report)
    if (urgent === sent.urgent && performance.now() - sent.at < REPORT_EVERY_MS) return
    isBusy = true
    sent = { urgent, at: performance.now(), isShown }
    const isSent = await send(report)
    isBusy = false
    // A server that refuses may have too much to do.
    failures = isSent ? 0 : failures + 1
    notBefore = isSent
      ? Number.NEGATIVE_INFINITY
      : performance.now() + Math.min(LONGEST_PAUSE_MS, REPORT_EVERY_MS * failures)
    if (!isSent) sent = { ...sent, urgent: '' }
    // In the background there may be no other chance to say so.
    if (isOnScreen() !== isShown) void look()
    battery = await readBattery().catch(() => battery)
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  const onVisible = () => void look()
  document.addEventListener('visibilitychange', onVisible, { signal })
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    leaving = look()
  })
  void readBattery()
    .then((read) => {
      battery = read
    })
    .catch(() => {})
}

async function send(payload: Report): Promise<boolean> {
  try {
    await call(
      boardApi.reportPhone,
      { payload },
      {
        ...{ quiet: true, isTold: true, background: true },
        // Is sent also when the page is closed or its app put in the background.
        ...{ timeoutMs: ANSWER_MS, keepalive: true },
      },
    )
    return true
  } catch {
    return false
  }
}

/** The battery's state, where the browser tells it. */
async function readBattery(): Promise<PageFacts['battery']> {
  const unknown = { battery: null, isCharging: false }
  const ask: unknown = Reflect.get(navigator, 'getBattery')
  if (typeof ask !== 'function') return unknown
  const answer: unknown = await ask.call(navigator)
  if (typeof answer !== 'object' || answer === null) return unknown
  const [level, charging]: unknown[] = [Reflect.get(answer, 'level'), Reflect.get(answer, 'charging')]
  if (typeof level !== 'number' || !(level >= 0 && level <= 1)) return unknown
  return { battery: Math.round(level * 100), isCharging: charging === true }
}
