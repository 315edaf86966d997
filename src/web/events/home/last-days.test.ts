import { expect, test } from 'vitest'
import { lastDays } from './last-days.ts'

test('each of the last days has its registrations, by the event’s own calendar', () => {
  const at = (day: string) => new Date(`${day}T23:00:00Z`) // midnight in Berlin
  const series = [
    { at: at('2026-11-01'), registrations: 9, checkins: 0 },
    { at: at('2026-11-18'), registrations: 3, checkins: 0 },
    { at: at('2026-11-20'), registrations: 2, checkins: 0 },
  ]
  const days = lastDays(series, new Date('2026-11-20T23:30:00Z'), 'Europe/Berlin')
  expect(days.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2])
})
