import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from './deps.ts'
import { describe } from './http/errors.ts'

const PAUSE_MS = 1_000
/** What takes longer to stop is left behind; whatever it was doing is done again by the next server. */
const PATIENCE_MS = 4_000

export interface Loop {
  /** Waits for the round under way, but not longer than four seconds. */
  stop: () => Promise<void>
  /** When a round last ended, or the loop began, by `performance.now()`. */
  lastRoundAt: () => number
}

/** Runs `round` again and again with a second in between, until stopped. A round that fails is logged. */
export function startLoop(
  { log }: Pick<Deps, 'log'>,
  name: string,
  round: (isStopping: () => boolean) => Promise<void>,
): Loop {
  const stopping = new AbortController()
  const isStopping = () => stopping.signal.aborted
  let lastRoundAt = performance.now()

  async function run(): Promise<void> {
    while (!isStopping()) {
      await round(isStopping).catch((error: unknown) => log.error({ err: describe(error) }, `${name} failed`))
      lastRoundAt = performance.now()
      await wait(PAUSE_MS, null, { signal: stopping.signal }).catch(() => null)
    }
  }

  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.race([running, wait(PATIENCE_MS, null, { ref: false })])
    },
    lastRoundAt: () => lastRoundAt,
  }
}
