import { expect, test } from 'vitest'
import { type Event, opensAt } from './event.ts'
import { canRegister, eventState } from './event-state.ts'

const HOUR = 60 * 60_000
const now = new Date('2026-11-20T18:00:00Z')
const at = (hours: number) => new Date(now.getTime() + hours * HOUR)
const base = {
  status: 'published' as const,
  startsAt: at(24),
  endsAt: at(28),
  registrationOpensAt: null,
  registrationClosesAt: null,
  maxAttendees: 100,
  registrationCount: 0,
  walkInPlaces: 0,
  ticketsOpenAt: null,
  ticketsCloseAt: null,
  ticketsGone: false,
}

function stateOf(fields: Partial<Event> = {}) {
  const event = { ...base, ...fields }
  return [eventState(event, now), canRegister(event, now)]
}

test('an event’s state, and whether somebody can register, follow from its times, status and places', () => {
  const full = { registrationCount: 100 }
  const running = { startsAt: at(-1) }
  expect(stateOf()).toEqual(['open', true])
  expect(stateOf({ maxAttendees: null, registrationCount: 5000 })).toEqual(['open', true])
  expect(stateOf({ registrationCount: 90 })).toEqual(['few left', true])
  expect(stateOf({ registrationCount: 89 })).toEqual(['open', true])
  expect(stateOf({ maxAttendees: 8, registrationCount: 5 })).toEqual(['open', true])
  expect(stateOf({ maxAttendees: 8, registrationCount: 6 })).toEqual(['few left', true])
  expect(stateOf(full)).toEqual(['sold out', false])
  expect(stateOf({ registrationOpensAt: at(1) })).toEqual(['not open', false])
  expect(stateOf({ registrationClosesAt: at(-1) })).toEqual(['closed', false])
  expect(stateOf(running)).toEqual(['on now', true])
  expect(stateOf({ ...running, ...full })).toEqual(['sold out', false])
  expect(stateOf({ ...running, registrationClosesAt: at(-2) })).toEqual(['on now', false])
  expect(stateOf({ startsAt: at(-5), endsAt: now })).toEqual(['over', false])
  expect(stateOf({ ...full, status: 'cancelled' })).toEqual(['cancelled', false])
  expect(stateOf({ status: 'draft' })).toEqual(['draft', false])
})

test('an event of which no ticket can be had is not open, whatever places are left', () => {
  expect(stateOf({ ticketsGone: true })).toEqual(['sold out', false])
  expect(stateOf({ ticketsOpenAt: at(1) })).toEqual(['not open', false])
  expect(stateOf({ ticketsOpenAt: now, ticketsCloseAt: at(1) })).toEqual(['open', true])
  expect(stateOf({ ticketsCloseAt: now })).toEqual(['closed', false])
  expect(stateOf({ ticketsCloseAt: now, startsAt: at(-1) })).toEqual(['on now', false])
  // Its sale comes before what is left of it, as on the event's page.
  expect(stateOf({ ticketsGone: true, ticketsOpenAt: at(1) })).toEqual(['not open', false])
  expect(stateOf({ ticketsGone: true, ticketsCloseAt: now })).toEqual(['closed', false])
  // What the event itself says comes first.
  expect(stateOf({ registrationCount: 100, ticketsCloseAt: now })).toEqual(['sold out', false])
  expect(stateOf({ registrationCount: 100, ticketsOpenAt: at(1) })).toEqual(['sold out', false])
  expect(stateOf({ ticketsGone: true, registrationOpensAt: at(1) })).toEqual(['not open', false])
  expect(stateOf({ ticketsGone: true, endsAt: now })).toEqual(['over', false])
})

test('an event opens when both it and a ticket do', () => {
  const openingOf = (registrationOpensAt: Date | null, ticketsOpenAt: Date | null) =>
    opensAt({ registrationOpensAt, ticketsOpenAt })
  expect(openingOf(null, null)).toBeNull()
  expect(openingOf(at(1), null)).toEqual(at(1))
  expect(openingOf(null, at(2))).toEqual(at(2))
  expect(openingOf(at(1), at(2))).toEqual(at(2))
  expect(openingOf(at(3), at(2))).toEqual(at(3))
})
