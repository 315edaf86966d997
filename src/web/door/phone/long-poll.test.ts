import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Listening, listen, look } from './long-poll.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A network on which each try is answered, or not, by hand. */
function network() {
  const tries: { how: Listening; answer: (text: string) => void; fail: (error: Error) => void }[] = []
  const ask = (how: Listening) =>
    new Promise<string>((answer, fail) => {
      tries.push({ how, answer, fail })
      how.signal.addEventListener('abort', () => fail(new Error('given up')))
    })
  const isFinal = (error: unknown) => error instanceof Error && error.message === 'no access'
  const looking = look({ ask, isFinal, silenceMs: 6_000, againMs: () => 1_500, onHeard: () => {} })
  return { tries, looking }
}

test('what is not answered is asked anew beside it, and whichever is answered first counts', async () => {
  const { tries, looking } = network()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tries.length).toBeGreaterThan(5)
  const open = tries.filter(({ how }) => !how.signal.aborted)
  // A browser makes no more than six at a time.
  expect(open.length).toBeLessThan(6)
  open.at(-1)?.answer('news')
  expect(await looking.answer).toBe('news')
  const count = tries.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tries).toHaveLength(count)
  expect(tries.every(({ how }) => how.signal.aborted)).toBe(true)
})

test('another network is asked at once, and what was asked of the last one is given up', async () => {
  const { tries, looking } = network()
  looking.anew()
  expect(tries.map(({ how }) => how.signal.aborted)).toEqual([true, false])
  tries[1]?.answer('news')
  expect(await looking.answer).toBe('news')
})

test("the server's own no ends it, and so does the last failure", async () => {
  const { tries, looking } = network()
  await vi.advanceTimersByTimeAsync(2_000)
  tries[0]?.fail(new Error('cut'))
  tries[1]?.fail(new Error('no access'))
  await expect(looking.answer).rejects.toThrow('no access')
  const other = network()
  other.tries[0]?.fail(new Error('cut'))
  await expect(other.looking.answer).rejects.toThrow('cut')
})

test('a call ends after silence, not while bytes come; what is not ours is not heard', async () => {
  const heard = vi.fn()
  const { signal, watch } = listen(1_000, new AbortController().signal, heard)
  watch(new Response('<p>Please sign in</p>', { headers: { 'content-type': 'text/html' } }))
  expect(heard).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(900)
  const answer = watch(new Response('{"a":1}', { headers: { 'content-type': 'application/json' } }))
  await vi.advanceTimersByTimeAsync(900)
  expect(signal.aborted).toBe(false)
  expect(await answer.json()).toEqual({ a: 1 })
  expect(heard).toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1_100)
  expect(signal.aborted).toBe(true)
})
