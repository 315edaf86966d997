import { isMainThread } from 'node:worker_threads'

/** At least this long passes between two pauses, in ms. */
const STRETCH_MS = 0.5
/** How long a pause is, in ms; Linux adds some 0.07. It costs 0.02 ms of CPU. */
const PAUSE_MS = 0.05

const neverChanged = new Int32Array(new SharedArrayBuffer(4))
let resumedAt = 0

/**
 * Sleeps briefly, unless the last pause has only just ended: Linux lets a running thread finish its time slice, 1 to 3 ms, before a thread
 * that has become ready, even if the priority of the running one is low. Does nothing on the main thread, where requests would wait.
 */
export function pause(): void {
  if (isMainThread || performance.now() - resumedAt < STRETCH_MS) return
  Atomics.wait(neverChanged, 0, 0, PAUSE_MS)
  resumedAt = performance.now()
}
