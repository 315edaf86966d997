import { expect, test } from 'vitest'
import { dayFrom, dayOf, formatDays, isoDay, spansOf } from './days.ts'

const span = (from: string, to: string) => ({ from: dayFrom(from), to: dayFrom(to) })

test('a moment belongs to the day that the zone’s calendar shows', () => {
  expect(isoDay(dayOf(new Date('2026-11-20T22:59:00Z'), 'Europe/Berlin'))).toBe('2026-11-20')
  expect(isoDay(dayOf(new Date('2026-11-20T23:01:00Z'), 'Europe/Berlin'))).toBe('2026-11-21')
  // The clock goes back in between: these days are 25 hours apart.
  const [before, after] = ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'].map((at) =>
    dayOf(new Date(at), 'Europe/Berlin'),
  )
  expect(Number(after) - Number(before)).toBe(1)
})

test('a few days stay single, more are put together by week or month', () => {
  expect(spansOf(span('2026-11-19', '2026-11-21'), 3)).toMatchObject({ unit: 'day', spans: [{}, {}, {}] })
  const weeks = spansOf(span('2026-11-19', '2026-12-02'), 5)
  expect(weeks.unit).toBe('week')
  // 22/11/2026 is a Sunday.
  expect(weeks.spans.map(formatDays)).toEqual([
    '19/11/2026 to 22/11/2026',
    '23/11/2026 to 29/11/2026',
    '30/11/2026 to 06/12/2026',
  ])
  const months = spansOf(span('2026-01-15', '2026-12-02'), 12)
  expect(months).toMatchObject({ unit: 'month' })
  expect(months.spans.map(formatDays).slice(0, 2)).toEqual(['15/01/2026 to 31/01/2026', '01/02/2026 to 28/02/2026'])
  expect(formatDays(span('2026-11-20', '2026-11-20'))).toBe('Friday 20/11/2026')
})

test('there are never more parts than asked for, up to a year of months', () => {
  for (let days = 1; days < 365; days++) {
    const { spans } = spansOf({ from: 20_000, to: 20_000 + days - 1 }, 31)
    expect(spans.length, `${days} days`).toBeLessThanOrEqual(31)
  }
})
