import { readMessage, type StartMessage } from './messages.ts'

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
