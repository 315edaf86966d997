import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { practiceCode } from '../../../contract/values/practice-codes.ts'
import { type Door, openDoor } from '../phone/door.ts'
import { purgeAll } from '../phone/purge.ts'
import { isPractising, practise, startPractice } from './practice-mode.ts'
import { readPractised } from './practised.ts'

vi.mock('../phone/store.ts', () => ({
  ...{ readList: async () => null, readQueue: async () => [], readRecent: async () => [] },
  ...{ listedEvents: async () => [], storedEvents: async () => [] },
}))

let door: Door
beforeEach(async () => {
  vi.useFakeTimers()
  door = await openDoor(1)
})
afterEach(() => vi.useRealTimers())

test('the green verdict of practice says that nobody is let in, in both scanners', () => {
  startPractice(door)
  const detail = 'Nobody is let in, nothing is recorded.'
  expect(practise(door, practiceCode('valid'), 'main')?.verdict).toMatchObject({ kind: 'in', detail })
  expect(practise(door, practiceCode('voucher'), 'voucher')?.verdict).toMatchObject({ kind: 'in', detail })
})

test('when its time is over, practice codes are no tickets, and a real one is still asked about', () => {
  startPractice(door)
  vi.advanceTimersByTime(15 * 60_000 - 1)
  expect(isPractising(door)).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isPractising(door)).toBe(false)
  const late = practise(door, practiceCode('valid'), 'main')
  expect(late).toMatchObject({ isReal: false, verdict: { kind: 'refused', word: 'Practice code' } })
  expect(practise(door, 'ABC234', 'main')).toMatchObject({ isReal: true, verdict: { code: 'PRACTICE_ON' } })
})

test('what was practised is kept by event until somebody signs out', async () => {
  await purgeAll()
  startPractice(door)
  practise(door, practiceCode('valid'), 'main')
  practise(door, practiceCode('valid'), 'main')
  practise(door, practiceCode('unpaid'), 'main')
  expect(readPractised(1)?.kinds).toEqual(['valid', 'unpaid'])
  expect(readPractised(2)).toBe(null)
  await purgeAll()
  expect(readPractised(1)).toBe(null)
})
