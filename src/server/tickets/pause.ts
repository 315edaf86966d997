import { isMainThread } from 'node:worker_threads'

/** How long a thread draws between two pauses, in ms. A pause costs some 0.02 ms of CPU. */
const STRETCH_MS = 0.5
const PAUSE_MS = 0.05

const neverChanged = new Int32Array(new SharedArrayBuffer(4))
let resumedAt = 0

/**
 * Lets others have the processor for a moment, if this thread has drawn for a while. However low its priority, Linux lets a thread go on for
 * up to 3 ms while a visitor's call waits for the processor, and a ticket takes about as long. Does nothing on the main thread.
 */
export function pause(): void {
  if (isMainThread || performance.now() - resumedAt < STRETCH_MS) return
  Atomics.wait(neverChanged, 0, 0, PAUSE_MS)
  resumedAt = performance.now()
}
