import { expect, test } from 'vitest'
import type { Event } from '../../../contract/event.ts'
import { nextStep } from './next-step.ts'

const HOUR = 60 * 60_000
const now = new Date('2026-11-20T18:00:00Z')
const at = (hours: number) => new Date(now.getTime() + hours * HOUR)
const base = {
  status: 'published' as const,
  startsAt: at(72),
  endsAt: at(76),
  registrationOpensAt: null,
  registrationClosesAt: null,
  maxAttendees: 40,
  registrationCount: 0,
  walkInPlaces: 0,
  ticketsOpenAt: null,
  ticketsCloseAt: null,
  ticketsGone: false,
}
const actionOf = (fields: Partial<Event>) => nextStep({ ...base, ...fields }, now).action

test('the next step follows from the event’s state, and the door comes first within hours', () => {
  expect(actionOf({ status: 'draft' })).toBe('publish')
  expect(actionOf({})).toBe('copy link')
  expect(actionOf({ registrationOpensAt: at(1) })).toBe('copy link')
  expect(actionOf({ registrationCount: 30 })).toBe('add places')
  expect(actionOf({ registrationCount: 40 })).toBe('add places')
  expect(actionOf({ registrationClosesAt: at(-1) })).toBe('open again')
  expect(actionOf({ ticketsGone: true })).toBe('change tickets')
  expect(actionOf({ ticketsCloseAt: at(-1) })).toBe('change tickets')
  expect(actionOf({ ticketsGone: true, registrationCount: 40 })).toBe('add places')
  expect(actionOf({ startsAt: at(-9), endsAt: at(-1) })).toBe('statistics')
  const soon = { startsAt: at(11), endsAt: at(15) }
  expect(actionOf(soon)).toBe('scanner')
  expect(actionOf({ ...soon, registrationCount: 40, registrationClosesAt: at(-1) })).toBe('scanner')
  expect(actionOf({ ...soon, status: 'draft' })).toBe('publish')
  expect(actionOf({ ...soon, status: 'cancelled' })).toBe('attendees')
})

test('at the door it says whether the event has begun', () => {
  const headingFrom = (hours: number) => nextStep({ ...base, startsAt: at(hours), endsAt: at(20) }, now).heading()
  expect([headingFrom(2), headingFrom(0)]).toEqual(['The event begins soon', 'The event is on'])
})
