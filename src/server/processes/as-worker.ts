import cluster from 'node:cluster'
import { readMessage, type StartMessage, WORKER } from './messages.ts'

/** Whether our own first process has started this one: a process manager may start servers as workers too. */
export const isWorker = cluster.isWorker && process.env[WORKER] === '1'

/** What the first process tells this one to do. */
export function receiveStart(): Promise<StartMessage> {
  return new Promise((resolve) => {
    process.on('message', (received) => {
      const message = readMessage(received)
      if (message?.type === 'start') resolve(message)
    })
    process.send?.({ type: 'begun' })
  })
}

/** Tells the first process that this one takes requests. */
export function tellServing(): void {
  process.send?.({ type: 'serving' })
}
