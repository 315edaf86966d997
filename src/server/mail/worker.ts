import type { Deps } from '../deps.ts'
import { describe } from '../http/errors.ts'
import { BATCH, makeSender } from './send-due.ts'

const POLL_MS = 1_000
/** How long `stop` waits for mails under way. Later their leases run out, and they go out under the same Message-ID. */
const STOP_PATIENCE_MS = 3_500

export interface MailWorker {
  /** Begins no mail any more and answers within four seconds, whatever the mail server does. */
  stop: () => Promise<void>
  /** When it last finished a mail or a round, on the clock of `performance.now()`. */
  lastRoundAt: () => number
}

/** Sends mails in the background until stopped. */
export function startMailWorker(deps: Deps): MailWorker {
  let isStopping = false
  let wake = () => {}
  let lastRoundAt = performance.now()
  const progress = () => {
    lastRoundAt = performance.now()
  }
  const sender = makeSender(deps, progress)

  async function run(): Promise<void> {
    while (!isStopping) {
      const taken = await sender.sendDue().then(finished, failed)
      if (taken >= BATCH || isStopping) continue
      await pause(POLL_MS)
    }
  }

  function finished(taken: number): number {
    progress()
    return taken
  }

  function failed(error: unknown): number {
    deps.log.error({ err: describe(error) }, 'mail worker failed')
    return 0
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const running = run()
  return {
    lastRoundAt: () => lastRoundAt,
    stop: async () => {
      isStopping = true
      sender.stop()
      wake()
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_PATIENCE_MS)
      })
      await Promise.race([running, patience])
      clearTimeout(timer)
    },
  }
}
