import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import * as z from 'zod/mini'

const message = z.object({ type: z.string(), timestamp: z.string(), data: z.record(z.string(), z.unknown()) })

/** A message as it came in. */
export interface Received {
  id: string
  signature: string
  timestamp: number
  body: string
  type: string
  data: Record<string, unknown>
}

/** A program that receives webhooks. */
export interface Receiver {
  url: string
  received: Received[]
  /** How it answers from now on: with this status, or by its own way. */
  answer: (as: number | ((answer: ServerResponse, received: Received) => void)) => void
  stop: () => Promise<void>
}

/** Starts one on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how: Parameters<Receiver['answer']>[0] = 204
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { type, data } = message.parse(JSON.parse(body))
      const header = (name: string) => String(request.headers[name])
      const one = {
        id: header('webhook-id'),
        signature: header('webhook-signature'),
        timestamp: Number(header('webhook-timestamp')),
        body,
        type,
        data,
      }
      received.push(one)
      if (typeof how === 'number') answer.writeHead(how, { location: '/elsewhere' }).end()
      else how(answer, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  return {
    url: `http://127.0.0.1:${port}/turnout`,
    received,
    answer: (as) => {
      how = as
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether one of the signatures was made with this secret, whatever the time is. */
export function isSignedWith(secret: string, { id, timestamp, body, signature }: Received): boolean {
  const own = new Webhook(secret).sign(id, new Date(timestamp * 1000), body)
  return signature.split(' ').includes(own)
}
