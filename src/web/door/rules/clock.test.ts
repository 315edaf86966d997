import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LONGEST_AGO_MS } from '../../../contract/door.ts'
import { agoOf, isTooOld } from './clock.ts'

const HOUR = 60 * 60_000
const start = { clock: Date.parse('2026-11-27T18:00:00Z'), running: 1_000, page: 'a', ahead: 0 }
const minutes = fc.integer({ min: 0, max: 12 * 60 })

test('how long ago something was does not depend on how wrong the clock is', () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: -365 * 24, max: 365 * 24 }), fc.boolean(), (ago, wrongHours, isReloaded) => {
      const made = { ...start, clock: start.clock + wrongHours * HOUR, ahead: -wrongHours * HOUR }
      const now = {
        ...made,
        clock: made.clock + ago * 60_000,
        running: isReloaded ? 5 : made.running + ago * 60_000,
        page: isReloaded ? 'b' : 'a',
      }
      expect(agoOf(made, now)).toBe(ago * 60_000)
    }),
  )
})

test('a clock that was set in between does no harm either', () => {
  fc.assert(
    fc.property(minutes, fc.integer({ min: -48, max: 48 }), fc.boolean(), (ago, setByHours, isReloaded) => {
      const now = {
        clock: start.clock + ago * 60_000 + setByHours * HOUR,
        running: isReloaded ? 5 : start.running + ago * 60_000,
        page: isReloaded ? 'b' : 'a',
        ahead: -setByHours * HOUR,
      }
      expect(agoOf(start, now)).toBe(ago * 60_000)
    }),
  )
})

test('an age is never negative, nor more than the server accepts', () => {
  expect(agoOf(start, { ...start, clock: start.clock - 5 })).toBe(0)
  expect(agoOf(start, { ...start, clock: start.clock + 400 * 24 * HOUR })).toBe(LONGEST_AGO_MS)
})

test('a moment whose age is the most that the server accepts is too old', () => {
  expect(isTooOld(start, { ...start, clock: start.clock + LONGEST_AGO_MS - 1 })).toBe(false)
  expect(isTooOld(start, { ...start, clock: start.clock + LONGEST_AGO_MS })).toBe(true)
})
