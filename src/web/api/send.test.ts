import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ticketApi } from '../../contract/tickets.ts'
import { send } from './send.ts'

const CHUNK_MS = 20_000
const ticket = { registrationId: 1, qrUuid: 'secret' }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Serves a file of this many parts, each after a delay; then it ends, or stalls if it is not whole. */
function serveFile(parts: number, isWhole: boolean): void {
  vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
    let left = parts
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => signal?.addEventListener('abort', () => controller.error(signal.reason)),
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, CHUNK_MS))
        if (left-- > 0) return controller.enqueue(new Uint8Array([1]))
        if (isWhole) controller.close()
        else await new Promise(() => {})
      },
    })
    return new Response(body)
  })
}

/** Reads a file to its end, and calls `alive` for each part. */
const receive = () =>
  send(ticketApi.getTicketPdf, ticket, {}, async ({ body }, alive) => {
    let size = 0
    for await (const part of body ?? []) {
      alive()
      size += part.length
    }
    return size
  })

test('a file that arrives slowly is read to its end', async () => {
  serveFile(9, true)
  const received = receive()
  await vi.advanceTimersByTimeAsync(11 * CHUNK_MS)
  expect(await received).toBe(9)
})

test('a file that stalls is aborted', async () => {
  serveFile(2, false)
  const refused = expect(receive()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await vi.advanceTimersByTimeAsync(3 * CHUNK_MS + 30_000)
  await refused
})
