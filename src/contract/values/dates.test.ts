import { expect, test } from 'vitest'
import {
  besideTile,
  formatDate,
  formatMonth,
  formatSpan,
  formatTime,
  fromLocalInput,
  tileOf,
  toLocalInput,
} from './dates.ts'

test('dates are dd/mm/yyyy and times HH:mm in the zone asked for', () => {
  const moment = new Date('2026-03-01T23:05:00Z')
  expect(formatDate(moment, 'Europe/Berlin')).toBe('02/03/2026')
  expect(formatTime(moment, 'Europe/Berlin')).toBe('00:05')
  expect(formatTime(moment, 'America/New_York')).toBe('18:05')
})

test('a span names the day once, also when it ends in the night after, or both days, and the zone', () => {
  const start = new Date('2026-11-27T18:00:00Z')
  expect(formatSpan(start, new Date('2026-11-27T22:00:00Z'), 'Europe/Berlin')).toBe(
    'Friday 27/11/2026, 19:00–23:00 CET',
  )
  expect(formatSpan(start, new Date('2026-11-28T01:00:00Z'), 'Europe/Berlin')).toBe(
    'Friday 27/11/2026, 19:00–02:00 CET',
  )
  expect(formatSpan(start, new Date('2026-11-28T11:00:00Z'), 'Europe/Berlin')).toBe(
    'Friday 27/11/2026, 19:00 to Saturday 28/11/2026, 12:00 CET',
  )
  // More than a day later, although at a time of night.
  expect(formatSpan(start, new Date('2026-11-29T01:00:00Z'), 'Europe/Berlin')).toBe(
    'Friday 27/11/2026, 19:00 to Sunday 29/11/2026, 02:00 CET',
  )
  // A night of its own.
  expect(formatSpan(new Date('2026-11-27T03:00:00Z'), new Date('2026-11-28T02:00:00Z'), 'Europe/Berlin')).toBe(
    'Friday 27/11/2026, 04:00 to Saturday 28/11/2026, 03:00 CET',
  )
})

test('local input is read in the event’s zone, on both sides of a clock change', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'])
    for (const text of [
      '2026-03-29T01:30',
      '2026-03-29T04:00',
      '2026-10-25T04:00',
      '2026-01-01T00:00',
      '2026-12-31T23:59',
    ])
      expect(toLocalInput(fromLocalInput(text, zone) ?? new Date(0), zone)).toBe(text)
})

test('what is no local date and time is null', () => {
  for (const text of ['', '2026-13-01T00:00', '2026-11-20', '20/11/2026 19:00', '2026-11-20T25:00'])
    expect(fromLocalInput(text, 'Europe/Berlin')).toBeNull()
})

test('a date tile and a month are those of the zone', () => {
  const newYear = new Date('2026-12-31T23:30:00Z')
  expect(tileOf(newYear, 'Europe/Berlin')).toEqual({ day: '1', month: 'Jan' })
  expect(tileOf(newYear, 'Europe/London')).toEqual({ day: '31', month: 'Dec' })
  expect(formatMonth(newYear, 'Europe/Berlin')).toBe('January 2027')
})

test('beside a tile the weekday and the times are enough, unless the tile or the device would not tell the rest', () => {
  const start = new Date('2026-11-27T18:00:00Z')
  const timeZone = 'Europe/Berlin'
  const here = { timeZone, deviceZone: 'Europe/Paris', now: start }
  const evening = new Date('2026-11-28T01:00:00Z')
  expect(besideTile(start, evening, here)).toBe('Fri 19:00–02:00')
  expect(besideTile(start, evening, { ...here, deviceZone: 'Europe/London' })).toBe('Fri 19:00–02:00 CET')
  const nextYear = new Date('2027-01-02T12:00:00Z')
  expect(besideTile(start, evening, { ...here, now: nextYear })).toBe('Fri 27/11/2026 19:00–02:00')
  const nextDay = new Date('2026-11-28T11:00:00Z')
  expect(besideTile(start, nextDay, here)).toBe('Fri 19:00 – Sat 28/11/2026 12:00')
})
