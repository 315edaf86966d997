import type { Registry } from 'prom-client'
import { isWorker } from './as-worker.ts'
import { readMessage } from './messages.ts'

/** How long the first process may take to collect the figures, in ms. */
const PATIENCE_MS = 5_000

/**
 * Makes the function that returns the figures in Prometheus' text format: of all server processes behind the port, if this is one of
 * several, else of this one. Null when not all of them answer.
 */
export function metricsOfAll(register: Registry): () => Promise<string | null> {
  if (!isWorker) return () => register.metrics()
  process.on('message', (received) => {
    if (readMessage(received)?.type !== 'tell metrics') return
    void register.getMetricsAsJSON().then(
      (figures) => process.send?.({ type: 'own metrics', figures }),
      () => {},
    )
  })
  let asked: Promise<string | null> | null = null
  return () => {
    asked ??= askFirst().finally(() => {
      asked = null
    })
    return asked
  }
}

/** The figures of all, as the first process adds them up. */
function askFirst(): Promise<string | null> {
  return new Promise((resolve) => {
    const end = (text: string | null) => {
      clearTimeout(timer)
      process.off('message', receive)
      resolve(text)
    }
    const receive = (received: unknown) => {
      const message = readMessage(received)
      if (message?.type === 'metrics of all') end(message.text)
    }
    const timer = setTimeout(() => end(null), PATIENCE_MS)
    process.on('message', receive)
    process.send?.({ type: 'metrics' })
  })
}
