import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import { pause } from './pause.ts'

test('a thread that draws pauses now and then', async () => {
  // Calls it for a while, and tells how often that was, how often it slept, and for how many ms it went on.
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    import('tsx/esm/api').then(({ tsImport }) => tsImport(workerData, workerData)).then(({ pause }) => {
      const { wait } = Atomics
      let sleeps = 0
      Atomics.wait = (...given) => {
        sleeps++
        return wait(...given)
      }
      const start = performance.now()
      let calls = 0
      for (; performance.now() - start < 20; calls++) pause()
      parentPort.postMessage({ calls, sleeps, took: performance.now() - start })
    })`
  const worker = new Worker(code, { eval: true, workerData: new URL('./pause.ts', import.meta.url).href })
  const [{ calls, sleeps, took }] = await once(worker, 'message')
  await worker.terminate()
  expect(sleeps).toBeGreaterThan(1)
  expect(sleeps).toBeLessThan(calls)
  expect(sleeps).toBeLessThanOrEqual(took / 0.5 + 1)
})

test('the main thread never sleeps', () => {
  const wait = vi.spyOn(Atomics, 'wait')
  pause()
  expect(wait).not.toHaveBeenCalled()
})
