import { afterEach, expect, test, vi } from 'vitest'
import { Prepared } from './prepared.ts'

afterEach(() => vi.useRealTimers())

test('a plan is made anew after 1, 2, 4, … uses, after every hundred, and after ten seconds', () => {
  vi.useFakeTimers()
  const prepared = new Prepared({ query: vi.fn() })
  const plans = Array.from({ length: 300 }, () => prepared.nameFor('place'))
  const firstUses = [...new Set(plans)].map((plan) => plans.indexOf(plan))
  expect(firstUses).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 100, 200])
  const name = prepared.nameFor('place')
  const later = prepared.nameFor('place')
  vi.advanceTimersByTime(9_900)
  expect(prepared.nameFor('place')).toBe(later)
  // Another connection may have filled the tables, while this one had nothing to do or was little used.
  vi.advanceTimersByTime(200)
  const renewed = prepared.nameFor('place')
  expect([name, later]).not.toContain(renewed)
  expect(prepared.nameFor('place')).toBe(renewed)
})
