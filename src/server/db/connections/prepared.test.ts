import { afterEach, expect, test, vi } from 'vitest'
import { Prepared } from './prepared.ts'

afterEach(() => vi.useRealTimers())

test('a plan is made anew after 1, 2, 4, … uses, after every hundred, and after ten seconds', () => {
  vi.useFakeTimers()
  const query = vi.fn(async (_text: string) => {})
  const prepared = new Prepared({ query })
  const plans = Array.from({ length: 300 }, () => prepared.nameFor('place'))
  const firstUses = [...new Set(plans)].map((plan) => plans.indexOf(plan))
  expect(firstUses).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 100, 200])
  // The plans that are not used any more are freed, each once.
  const freed = [...new Set(plans)].slice(0, -1).map((plan) => [`deallocate "${plan}"`])
  for (let times = 0; times < 2; times++) prepared.forgetStale()
  expect(query.mock.calls).toEqual(freed)
  // The first use after three hundred makes one more.
  const current = prepared.nameFor('place')
  vi.advanceTimersByTime(9_900)
  expect(prepared.nameFor('place')).toBe(current)
  // Another connection may have filled the tables, while this one had nothing to do or was little used.
  vi.advanceTimersByTime(200)
  const renewed = prepared.nameFor('place')
  expect(renewed).not.toBe(current)
  expect(prepared.nameFor('place')).toBe(renewed)
})
