import { expect, test } from 'vitest'
import { arrivalsOf } from './arrivals.ts'

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`)
const series = [
  { at: new Date('2026-11-18T23:00:00Z'), registrations: 9, checkins: 2 },
  { at: new Date('2026-11-19T23:00:00Z'), registrations: 0, checkins: 4 },
]

test('arrivals are counted in equal parts of the day, with those of earlier days in the sum', () => {
  const arrivals = [
    { at: at('18:40'), checkins: 3 },
    { at: at('18:45'), checkins: 1 },
  ]
  const found = arrivalsOf({ arrivals, series }, '2026-11-20', 'Europe/Berlin')
  // From 19:30 in Berlin, an hour at least.
  expect(found).toMatchObject({ step: 5, from: 19 * 60 + 30 })
  expect(found?.parts).toHaveLength(12)
  expect(found?.parts[1]).toEqual({ at: at('18:35'), until: at('18:40'), count: 0, inAll: 2 })
  expect(found?.parts[2]).toEqual({ at: at('18:40'), until: at('18:45'), count: 3, inAll: 5 })
  expect(found?.parts.at(-1)).toMatchObject({ until: at('19:30'), inAll: 6 })
})

test('a long day has longer parts, and nobody is lost in them', () => {
  const arrivals = ['05:00', '11:25', '19:55'].map((time) => ({ at: at(time), checkins: 1 }))
  const found = arrivalsOf({ arrivals, series: [] }, '2026-11-20', 'Europe/Berlin')
  expect(found?.step).toBe(30)
  expect(found?.parts).toHaveLength(30)
  expect(found?.parts.at(-1)?.inAll).toBe(3)
})

test('a day without arrivals has none', () => {
  expect(arrivalsOf({ arrivals: [], series }, '2026-11-20', 'Europe/Berlin')).toBeNull()
})
