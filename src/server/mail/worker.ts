import type { Deps } from '../deps.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import type { Compose } from './composed.ts'
import { BATCH, makeSender } from './send-due.ts'

/**
 * Sends mails in the background until stopped. A mail that is under way when it stops may go out again later, under the same
 * Message-ID.
 */
export function startMailWorker(deps: Deps, compose: Compose): Loop {
  const sender = makeSender(deps, compose)
  const loop = startLoop(deps, 'mail worker', async () => {
    const taken = await sender.sendDue()
    // A queue goes out at its pace, also while nobody does anything.
    if (taken > 0) deps.activity.note()
    return taken >= BATCH
  })
  return {
    ...loop,
    stop: async () => {
      sender.stop()
      await loop.stop()
    },
  }
}
