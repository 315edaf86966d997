import { expect, test } from 'vitest'
import { makeLine } from './line.ts'

/** A job that ends when told. */
function job() {
  let end = () => {}
  const promise = new Promise<void>((resolve) => {
    end = resolve
  })
  let isStarted = false
  const run = async () => {
    isStarted = true
    await promise
  }
  return { run, end, isStarted: () => isStarted }
}

const stays = new AbortController().signal

test('jobs run one at a time, in their order', async () => {
  const line = makeLine(5)
  const [first, second] = [job(), job()]
  const ends = [line.run(first.run, stays), line.run(second.run, stays)]
  await Promise.resolve()
  expect([first.isStarted(), second.isStarted()]).toEqual([true, false])
  first.end()
  await ends[0]
  second.end()
  await ends[1]
  expect(second.isStarted()).toBe(true)
})

test('a full line refuses the next, and says when to come back', async () => {
  const line = makeLine(1)
  const [first, second] = [job(), job()]
  const ends = [line.run(first.run, stays), line.run(second.run, stays)]
  await expect(line.run(async () => {}, stays)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 })
  first.end()
  second.end()
  await Promise.all(ends)
})

test('who has gone before the turn is not served, and leaves room for another', async () => {
  const line = makeLine(1)
  const [first, second, third] = [job(), job(), job()]
  const gone = new AbortController()
  const started = line.run(first.run, stays)
  const withdrawn = line.run(second.run, gone.signal)
  gone.abort()
  await expect(withdrawn).rejects.toThrow()
  const next = line.run(third.run, stays)
  first.end()
  third.end()
  await Promise.all([started, next])
  expect([second.isStarted(), third.isStarted()]).toEqual([false, true])
})

test('a job that fails lets the next one have its turn', async () => {
  const line = makeLine(2)
  await expect(line.run(() => Promise.reject(new Error('broken')), stays)).rejects.toThrow('broken')
  await expect(line.run(async () => 'done', stays)).resolves.toBe('done')
})
