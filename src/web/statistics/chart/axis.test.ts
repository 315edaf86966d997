import { expect, test } from 'vitest'
import { dayAxis, timeAxis, valueTicks } from './axis.ts'
import { dayFrom } from './days.ts'

const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, index) => dayFrom(first) + index)

test('days of the current year are shown without the year', () => {
  expect(dayAxis(daysFrom('2026-11-19', 3), '2026')(5)).toEqual([
    { at: 0, text: '19/11' },
    { at: 1, text: '20/11' },
    { at: 2, text: '21/11' },
  ])
})

test('the last day has a label, and one too near to it is dropped', () => {
  const label = (count: number, most: number) =>
    dayAxis(daysFrom('2026-11-01', count), '2026')(most).map(({ at }) => at)
  expect(label(23, 8)).toEqual([0, 3, 6, 9, 12, 15, 18, 22])
  expect(label(24, 8)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 23])
  expect(label(1, 4)).toEqual([0])
})

test('the year stands below the first day of another year, and where it changes', () => {
  expect(dayAxis(daysFrom('2025-12-30', 4), '2026')(4).map(({ year }) => year)).toEqual([
    '2025',
    undefined,
    '2026',
    undefined,
  ])
  expect(dayAxis(daysFrom('2025-11-19', 2), '2026')(5).map(({ year }) => year)).toEqual(['2025', undefined])
})

test('no more days are labelled than have room', () => {
  for (const count of [1, 6, 30, 200, 1000])
    expect(dayAxis(daysFrom('2026-01-01', count), '2026')(4).length, `${count} days`).toBeLessThanOrEqual(4)
})

test('times are labelled at whole quarters or hours', () => {
  const bars = timeAxis({ from: 18 * 60 + 30, step: 10, count: 15, isMoments: false })
  expect(bars(4).map(({ at, text }) => [at, text])).toEqual([
    [2.5, '19:00'],
    [8.5, '20:00'],
    [14.5, '21:00'],
  ])
  const line = timeAxis({ from: 18 * 60 + 30, step: 10, count: 16, isMoments: true })
  expect(line(4).map(({ at }) => at)).toEqual([3, 9, 15])
  const day = timeAxis({ from: 0, step: 60, count: 24, isMoments: false })
  expect(day(4).map(({ text }) => text)).toEqual(['00:00', '12:00', '00:00'])
})

test('values are labelled with round numbers that include zero and the highest', () => {
  expect(valueTicks(0, 381)).toEqual([0, 100, 200, 300, 400])
  expect(valueTicks(0, 500)).toEqual([0, 100, 200, 300, 400, 500])
  expect(valueTicks(0, 3)).toEqual([0, 1, 2, 3])
  expect(valueTicks(0, 1)).toEqual([0, 1])
  expect(valueTicks(0, 0)).toEqual([0, 1])
  expect(valueTicks(-1200, 8000)).toEqual([-2000, 0, 2000, 4000, 6000, 8000])
  expect(valueTicks(-50, 0)).toEqual([-50, -40, -30, -20, -10, 0])
})
