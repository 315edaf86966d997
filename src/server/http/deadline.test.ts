import { afterEach, expect, test, vi } from 'vitest'
import { connect } from '../db/connect.ts'
import { Deadline } from './deadline.ts'

afterEach(() => vi.useRealTimers())

test('work that never ends is answered as unavailable in time, and work that ends is not', async () => {
  vi.useFakeTimers()
  const db = connect('postgres://nobody@127.0.0.1:1/none', { onError: () => {} })
  expect(await new Deadline(db, true).within(async () => 'at once')).toBe('at once')
  await vi.advanceTimersByTimeAsync(250)
  // Nothing is watched any more.
  expect(vi.getTimerCount()).toBe(0)
  const never = () => new Promise(() => {})
  const late = new Deadline(db, true).within(never)
  const refused = expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const done = new Deadline(db, true).within(() => new Promise((resolve) => setTimeout(resolve, 29_000, 'done')))
  await vi.advanceTimersByTimeAsync(29_500)
  expect(await Promise.race([late.catch(() => 'refused'), Promise.resolve('open')])).toBe('open')
  await vi.advanceTimersByTimeAsync(1_000)
  await refused
  expect(await done).toBe('done')
  // Whichever ends before them, the others go on being watched.
  const within = (work: () => Promise<unknown>) => new Deadline(db, true).within(work).catch(() => 'refused')
  const endsAfter = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms, 'done'))
  const works = [endsAfter(2_000), never, endsAfter(500), never, endsAfter(1_000)].map(within)
  await vi.advanceTimersByTimeAsync(31_000)
  expect(await Promise.all(works)).toEqual(['done', 'refused', 'done', 'refused', 'done'])
  await db.destroy()
})
