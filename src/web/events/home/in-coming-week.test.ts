import { expect, test } from 'vitest'
import { inComingWeek } from './in-coming-week.ts'

const timeZone = 'Europe/Berlin'

test('a copy starts a week later at the same time of day, also across a clock change', () => {
  // 19:00 in summer time, and a week later in winter time.
  const startsAt = new Date('2026-10-23T17:00:00Z')
  const now = new Date('2026-10-01T12:00:00Z')
  expect(inComingWeek({ startsAt, timeZone }, now)).toEqual(new Date('2026-10-30T18:00:00Z'))
})

test('a copy of a past event starts in the future, on the same weekday', () => {
  const startsAt = new Date('2026-06-05T17:00:00Z')
  const now = new Date('2026-06-20T12:00:00Z')
  expect(inComingWeek({ startsAt, timeZone }, now)).toEqual(new Date('2026-06-26T17:00:00Z'))
})
