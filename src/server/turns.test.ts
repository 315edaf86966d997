import { expect, test } from 'vitest'
import { makeTurns } from './turns.ts'

/** Work that goes on until it is ended on demand. */
function work() {
  let resolve: (value: string) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<string>((...ends) => {
    ;[resolve, reject] = ends
  })
  let isRunning = false
  const run = () => {
    isRunning = true
    return promise.finally(() => {
      isRunning = false
    })
  }
  return { run, resolve, reject, isRunning: () => isRunning }
}

test('one piece of work runs at a time, in the order of arrival, whatever becomes of the one before', async () => {
  const inTurn = makeTurns({ mostWaiting: 5 })
  const [first, second, third] = [work(), work(), work()]
  const results = [first, second, third].map(({ run }) => inTurn(run))
  expect([first, second, third].map((each) => each.isRunning())).toEqual([true, false, false])
  first.reject(new Error('broken'))
  await expect(results[0]).rejects.toThrow('broken')
  await expect.poll(() => [first, second, third].map((each) => each.isRunning())).toEqual([false, true, false])
  second.resolve('second')
  third.resolve('third')
  expect(await Promise.all(results.slice(1))).toEqual(['second', 'third'])
  expect(await inTurn(async () => 'later')).toBe('later')
})

test('as many run at once as may', async () => {
  const inTurn = makeTurns({ atOnce: 2, mostWaiting: 5 })
  const all = [work(), work(), work()]
  const results = all.map(({ run }) => inTurn(run))
  expect(all.map((each) => each.isRunning())).toEqual([true, true, false])
  for (const { resolve } of all) resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

test('one owner can only have so much waiting, and the queue has an end', async () => {
  const inTurn = makeTurns({ mostWaiting: 2, mostWaitingOfOne: 1 })
  const running = work()
  const done = inTurn(running.run, { owner: 'a' })
  const waiting = inTurn(async () => 'a waits', { owner: 'a' })
  const refused = { code: 'TOO_MANY_TRIES', retryAfter: 5 }
  await expect(inTurn(async () => '', { owner: 'a' })).rejects.toMatchObject(refused)
  const other = inTurn(async () => 'b waits', { owner: 'b' })
  await expect(inTurn(async () => '', { owner: 'c' })).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 })
  running.resolve('done')
  expect(await Promise.all([done, waiting, other])).toEqual(['done', 'a waits', 'b waits'])
})

test('work that nobody waits for any more leaves the queue, and room for another', async () => {
  const inTurn = makeTurns({ mostWaiting: 1 })
  const [first, second, third] = [work(), work(), work()]
  const gone = new AbortController()
  const started = inTurn(first.run)
  const withdrawn = inTurn(second.run, { signal: gone.signal })
  gone.abort()
  await expect(withdrawn).rejects.toThrow()
  const next = inTurn(third.run)
  first.resolve('first')
  third.resolve('third')
  expect(await Promise.all([started, next])).toEqual(['first', 'third'])
  expect(second.isRunning()).toBe(false)
})
