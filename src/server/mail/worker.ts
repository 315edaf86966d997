import type { Deps } from '../deps.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { BATCH, makeSender } from './send-due.ts'

/**
 * Sends mails in the background until stopped. A mail that is under way when it stops may go out again later, under the same
 * Message-ID.
 */
export function startMailWorker(deps: Deps): Loop {
  const sender = makeSender(deps)
  const loop = startLoop(deps, 'mail worker', async () => (await sender.sendDue()) >= BATCH)
  return {
    ...loop,
    stop: async () => {
      sender.stop()
      await loop.stop()
    },
  }
}
