import { expect, test } from 'vitest'
import { makeTurns } from './turns.ts'

/** Work that goes on until it is told to end. */
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
  const inTurn = makeTurns({ mostWaiting: 5, mostWaitingOfOne: 5 })
  const [first, second, third] = [work(), work(), work()]
  const results = [inTurn('a', first.run), inTurn('b', second.run), inTurn('a', third.run)]
  expect([first, second, third].map((each) => each.isRunning())).toEqual([true, false, false])
  first.reject(new Error('broken'))
  await expect(results[0]).rejects.toThrow('broken')
  await expect.poll(() => [first, second, third].map((each) => each.isRunning())).toEqual([false, true, false])
  second.resolve('second')
  third.resolve('third')
  expect(await Promise.all(results.slice(1))).toEqual(['second', 'third'])
  expect(await inTurn('a', async () => 'later')).toBe('later')
})

test('one owner can only have so much waiting, and the queue has an end', async () => {
  const inTurn = makeTurns({ mostWaiting: 2, mostWaitingOfOne: 1 })
  const running = work()
  const done = inTurn('a', running.run)
  const waiting = inTurn('a', async () => 'a waits')
  await expect(inTurn('a', async () => '')).rejects.toMatchObject({ code: 'TOO_MANY_TRIES', retryAfter: 5 })
  const other = inTurn('b', async () => 'b waits')
  await expect(inTurn('c', async () => '')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 })
  running.resolve('done')
  expect(await Promise.all([done, waiting, other])).toEqual(['done', 'a waits', 'b waits'])
})
