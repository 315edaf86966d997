import { expect, test } from 'vitest'
import { daysTo } from './days-to.ts'

test.each([
  ['2026-11-23T10:00:00Z', 'in 8 days'],
  ['2026-11-29T22:00:00Z', 'in 2 days'],
  // In Berlin it is past midnight.
  ['2026-11-29T23:30:00Z', 'tomorrow'],
  ['2026-11-30T23:30:00Z', 'today'],
])('at %s an event on 1 December in Berlin starts %s', (now, words) => {
  const event = { startsAt: new Date('2026-12-01T12:00:00Z'), timeZone: 'Europe/Berlin' }
  expect(daysTo(event, new Date(now))).toBe(words)
})
