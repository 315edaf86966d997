import { expect, test } from 'vitest'
import { byDay } from './by-day.ts'

const entry = (id: number, at: string) => ({ id, at: new Date(at) })

test('entries of a day in the club’s zone stand together, in their order', () => {
  const entries = [
    entry(4, '2026-11-20T23:30:00.000Z'),
    entry(3, '2026-11-20T22:30:00.000Z'),
    entry(2, '2026-11-20T08:00:00.000Z'),
    entry(1, '2026-11-18T08:00:00.000Z'),
  ]
  const idsIn = (timeZone: string) => byDay(entries, timeZone).map((day) => day.entries.map(({ id }) => id))
  expect(idsIn('Europe/Berlin')).toEqual([[4], [3, 2], [1]])
  expect(idsIn('UTC')).toEqual([[4, 3, 2], [1]])
  expect(byDay([], 'UTC')).toEqual([])
})

test('a scan that a phone sent a day later keeps its place in the log', () => {
  const entries = [
    entry(3, '2026-11-20T10:00:00.000Z'),
    entry(2, '2026-11-19T22:00:00.000Z'),
    entry(1, '2026-11-20T09:00:00.000Z'),
  ]
  expect(byDay(entries, 'UTC').map(({ key }) => key)).toEqual([3, 2, 1])
})
