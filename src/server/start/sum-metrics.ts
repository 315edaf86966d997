import type { Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { readMessage } from '../processes/messages.ts'

/** How long each process may take to answer, in ms. */
const PATIENCE_MS = 3_000

/**
 * The figures of these processes added up, in Prometheus' text format; null when one does not answer: counts of fewer processes would look
 * as if they had been reset.
 */
export async function sumMetrics(workers: readonly Worker[]): Promise<string | null> {
  try {
    return await AggregatorRegistry.aggregate(await Promise.all(workers.map(figuresOf))).metrics()
  } catch {
    return null
  }
}

function figuresOf(worker: Worker): Promise<object[]> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      worker.off('message', receive)
      worker.off('exit', fail)
    }
    const fail = () => {
      end()
      reject(new Error('A server process did not answer.'))
    }
    const receive = (received: unknown) => {
      const message = readMessage(received)
      if (message?.type !== 'own metrics') return
      end()
      resolve(message.figures)
    }
    const timer = setTimeout(fail, PATIENCE_MS)
    worker.on('message', receive)
    worker.once('exit', fail)
    if (worker.isConnected()) worker.send({ type: 'tell metrics' })
    else fail()
  })
}
