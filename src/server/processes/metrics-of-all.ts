import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { readMessage } from './messages.ts'

/** How long the first process may take to collect the figures, in ms. */
const PATIENCE_MS = 6_000

/**
 * Makes the function that returns the figures in Prometheus' text format: of all server processes behind the port, if this is one of
 * several, else of this one. When the others do not answer, those of this one.
 */
export function metricsOfAll(register: Registry): () => Promise<string> {
  const { worker } = cluster
  if (!worker) return () => register.metrics()
  // Answers the first process when it collects the figures.
  new AggregatorRegistry()
  AggregatorRegistry.setRegistries([register])
  let asked: Promise<string> | null = null
  return async () => {
    asked ??= askFirst().finally(() => {
      asked = null
    })
    return (await asked) || register.metrics()
  }
}

/** The figures of all, as the first process adds them up; empty without an answer. */
function askFirst(): Promise<string> {
  return new Promise((resolve) => {
    const end = (text: string) => {
      clearTimeout(timer)
      process.off('message', receive)
      resolve(text)
    }
    const receive = (received: unknown) => {
      const message = readMessage(received)
      if (message?.type === 'metrics answer') end(message.text)
    }
    const timer = setTimeout(() => end(''), PATIENCE_MS)
    process.on('message', receive)
    process.send?.({ type: 'metrics' })
  })
}
