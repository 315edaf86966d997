import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '../deps.ts'
import { type Loop, startLoop } from '../start-loop.ts'
import { makeDeliverer } from './deliver.ts'

/** How long a slow receiver keeps new messages to others waiting, in ms. */
const ROUND_MS = 500
/** How long a stop waits for messages under way, in ms. */
const PATIENCE_MS = 3_000

/** Sends the messages of webhooks in the background until stopped. One that is under way then may be sent again later, with the same id. */
export function startWebhookWorker(deps: Deps): Loop {
  const deliverer = makeDeliverer(deps)
  const loop = startLoop(deps, 'webhook worker', async () => {
    const started = await deliverer.start()
    if (started > 0) deps.activity.note()
    return (await deliverer.waitForOne(ROUND_MS)) || started > 0
  })
  return {
    ...loop,
    stop: async () => {
      await loop.stop()
      await Promise.race([deliverer.waitForAll(), wait(PATIENCE_MS, null, { ref: false })])
    },
  }
}
