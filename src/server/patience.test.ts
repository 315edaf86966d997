import { expect, test, vi } from 'vitest'
import { withPatience } from './patience.ts'

test('what does not come in time is refused, and what comes is answered', async () => {
  vi.useFakeTimers()
  try {
    const never = withPatience(1_000, new Promise(() => {}), () => new Error('late')).catch(String)
    const inTime = withPatience(1_000, Promise.resolve('here'), () => new Error('late'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await never, await inTime]).toEqual(['Error: late', 'here'])
  } finally {
    vi.useRealTimers()
  }
})

test('time in which the process was blocked does not count', async () => {
  const answer = new Promise((resolve) => setTimeout(() => setImmediate(() => resolve('here')), 5))
  const waiting = withPatience(400, answer, () => new Error('late'))
  // Longer than the patience, without a turn of the event loop in which an answer could be read.
  const end = performance.now() + 500
  while (performance.now() < end);
  expect(await waiting).toBe('here')
})
