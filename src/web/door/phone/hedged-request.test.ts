import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallControl, hedgedRequest, limitSilence } from './hedged-request.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A network on which the test decides whether each attempt is answered. */
function network() {
  const tries: { control: CallControl; answer: (text: string) => void; fail: (error: Error) => void }[] = []
  const send = (control: CallControl) =>
    new Promise<string>((answer, fail) => {
      tries.push({ control, answer, fail })
      control.signal.addEventListener('abort', () => fail(new Error('given up')))
    })
  const isFinal = (error: unknown) => error instanceof Error && error.message === 'no access'
  const request = hedgedRequest({ send, isFinal, silenceMs: 6_000, repeatAfterMs: () => 1_500, onHeard: () => {} })
  return { tries, request }
}

test('a request without an answer is repeated in parallel, and the first answer counts', async () => {
  const { tries, request } = network()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tries.length).toBeGreaterThan(5)
  const open = tries.filter(({ control }) => !control.signal.aborted)
  // A browser allows at most six requests at a time.
  expect(open.length).toBeLessThan(6)
  open.at(-1)?.answer('news')
  expect(await request.answer).toBe('news')
  const count = tries.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(tries).toHaveLength(count)
  expect(tries.every(({ control }) => control.signal.aborted)).toBe(true)
})

test('on another network the request is sent again at once, and the earlier attempts are aborted', async () => {
  const { tries, request } = network()
  request.restart()
  expect(tries.map(({ control }) => control.signal.aborted)).toEqual([true, false])
  tries[1]?.answer('news')
  expect(await request.answer).toBe('news')
})

test('a refusal by the server ends it, and so does the failure of all attempts', async () => {
  const { tries, request } = network()
  await vi.advanceTimersByTimeAsync(2_000)
  tries[0]?.fail(new Error('cut'))
  tries[1]?.fail(new Error('no access'))
  await expect(request.answer).rejects.toThrow('no access')
  const other = network()
  other.tries[0]?.fail(new Error('cut'))
  await expect(other.request.answer).rejects.toThrow('cut')
})

test('a call is aborted after silence, not while bytes arrive; an answer that is not ours does not count', async () => {
  const heard = vi.fn()
  const { signal, watch } = limitSilence(1_000, new AbortController().signal, heard)
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
