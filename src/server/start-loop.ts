import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from './deps.ts'
import { describeError } from './describe-error.ts'

interface Times {
  pauseMs: number
  /** The pause while nothing happens, in ms; the next thing that happens ends it. */
  quietMs: number
  /** How long a stop waits, in ms; work that takes longer is abandoned, and repeated by the next server. */
  patienceMs: number
}
const usual: Times = { pauseMs: 1_000, quietMs: 10_000, patienceMs: 4_000 }

export interface Loop {
  /** Waits for the round under way, but not longer than its patience. */
  stop: () => Promise<void>
  /** When a round last ended, or the loop began, by `performance.now()`. */
  lastRoundAt: () => number
}

/**
 * Runs `round` again and again until stopped: at once while it answers that there is more to do, otherwise with a pause in
 * between, which is longer while nothing happens. A round that fails is logged.
 */
export function startLoop(
  { log, activity }: Pick<Deps, 'log' | 'activity'>,
  name: string,
  round: () => Promise<boolean>,
  { pauseMs, quietMs, patienceMs }: Times = usual,
): Loop {
  const stopping = new AbortController()
  let lastRoundAt = performance.now()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isMore = await round().catch((error: unknown) => {
        log.error({ err: describeError(error) }, `${name} failed`)
        return false
      })
      lastRoundAt = performance.now()
      if (!isMore) await pause()
    }
  }

  async function pause(): Promise<void> {
    await wait(pauseMs, null, { signal: stopping.signal }).catch(() => null)
    if (activity.isRecent() || stopping.signal.aborted) return
    const woken = new AbortController()
    const forget = activity.onNext(() => woken.abort())
    const signal = AbortSignal.any([stopping.signal, woken.signal])
    await wait(quietMs - pauseMs, null, { signal }).catch(() => null)
    forget()
  }

  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([running, wait(patienceMs, null, { ref: false })])
    },
    lastRoundAt: () => lastRoundAt,
  }
}
