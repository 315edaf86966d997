import { afterEach, expect, test, vi } from 'vitest'
import { connect } from '../db/connect.ts'
import { Deadline } from './deadline.ts'

afterEach(() => vi.useRealTimers())

test('work that never ends is answered as unavailable in time, and work that ends is not', async () => {
  vi.useFakeTimers()
  const db = connect('postgres://nobody@127.0.0.1:1/none', { onError: () => {} })
  const never = new Deadline(db, true).within(() => new Promise(() => {}))
  const refused = expect(never).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const done = new Deadline(db, true).within(() => new Promise((resolve) => setTimeout(resolve, 29_000, 'done')))
  await vi.advanceTimersByTimeAsync(29_500)
  expect(await Promise.race([never.catch(() => 'refused'), Promise.resolve('open')])).toBe('open')
  await vi.advanceTimersByTimeAsync(1_000)
  await refused
  expect(await done).toBe('done')
  await db.destroy()
})
