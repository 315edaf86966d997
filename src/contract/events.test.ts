import { expect, test } from 'vitest'
import { refusalToRegister, seatsLeft } from './event.ts'
import { validateTimes } from './events.ts'

const at = (time: string) => new Date(`2026-11-20T${time}:00Z`)
const open = {
  status: 'published',
  endsAt: at('22:00'),
  registrationOpensAt: null,
  registrationClosesAt: null,
} as const

test('registration is open from its opening until its closing or the end', () => {
  const event = { ...open, registrationOpensAt: at('10:00'), registrationClosesAt: at('20:00') }
  expect(refusalToRegister(event, at('09:59'))).toBe('REGISTRATION_NOT_OPEN')
  expect(refusalToRegister(event, at('10:00'))).toBeNull()
  expect(refusalToRegister(event, at('20:00'))).toBe('REGISTRATION_CLOSED')
  expect(refusalToRegister(open, at('21:59'))).toBeNull()
  expect(refusalToRegister(open, at('22:00'))).toBe('EVENT_OVER')
})

test('a draft is not there for visitors, a cancelled event says so', () => {
  expect(refusalToRegister({ ...open, status: 'draft' }, at('10:00'))).toBe('NOT_FOUND')
  expect(refusalToRegister({ ...open, status: 'cancelled' }, at('10:00'))).toBe('EVENT_CANCELLED')
})

test('seats left are never negative, and null without a limit', () => {
  expect(seatsLeft({ maxAttendees: null, registrationCount: 9, walkInPlaces: 0 })).toBeNull()
  expect(seatsLeft({ maxAttendees: 10, registrationCount: 9, walkInPlaces: 0 })).toBe(1)
  expect(seatsLeft({ maxAttendees: 10, registrationCount: 4, walkInPlaces: 5 })).toBe(1)
  expect(seatsLeft({ maxAttendees: 10, registrationCount: 11, walkInPlaces: 0 })).toBe(0)
})

test('times that contradict each other are named', () => {
  const times = {
    startsAt: at('20:00'),
    endsAt: at('20:00'),
    registrationOpensAt: at('12:00'),
    registrationClosesAt: at('11:00'),
    correctionsUntil: at('21:00'),
  }
  expect(validateTimes(times).map(({ path }) => path)).toEqual(['endsAt', 'registrationClosesAt', 'correctionsUntil'])
  expect(validateTimes({ ...open, startsAt: at('20:00'), correctionsUntil: at('19:00') })).toEqual([])
})
