import { expect, test } from 'vitest'
import { languages } from '../../texts/generated/languages.ts'
import { inLanguage } from '../../texts/language.ts'
import { actionOf } from './actions.ts'
import { changesOf } from './changes.ts'
import type { HistoryRow } from './queries.ts'

const row: HistoryRow = {
  id: 1,
  at: new Date('2026-11-20T18:00:00.000Z'),
  subject: 'event',
  subjectId: 7,
  action: 'edited',
  before: null,
  after: null,
  by: 'Ana',
  tokenName: null,
  isByOperator: false,
  eventId: 7,
  eventName: 'Regatta',
  isEventThere: true,
  currency: 'eur',
  timeZone: 'Europe/Berlin',
  attendee: null,
  voucher: null,
  member: null,
}

/** What is logged with a person, by subject. */
const actions: readonly [HistoryRow['subject'], string][] = [
  ['event', 'added, edited, removed, translated, refunds tried again, ticket types edited, codes edited'],
  ['event', 'places for walk-ins, places of a lost phone'],
  ['form', 'edited'],
  ['extras', 'added, edited, removed, put first'],
  ['registration', 'registered, corrected, confirmed, cancelled, removed, refund, ticket sent again, vouchers given'],
  ['registration', 'voucher redeemed, redemption undone, voucher given out against the list'],
  ['checkin', 'checked in, checked in from paper, undone, let in against the list'],
  ['checkin', 'went out, came back, exit undone, return undone'],
  ['club', 'added, signed up, edited, refunds tried again, members replaced'],
  ['club', 'webhook added, webhook edited, webhook secret replaced, webhook paused, webhook resumed, webhook removed'],
  ['user', 'added, edited, removed, role changed, invited, invited again, joined, too many wrong short codes'],
  ['user', 'API token made, API token revoked'],
  ['user', 'password changed, password reset by link, link for a password made'],
]

const changes = (logged: Partial<HistoryRow>) =>
  changesOf(
    { ...row, ...logged },
    { currency: 'eur', timeZone: 'Europe/Berlin', eventNames: new Map([[7, 'Regatta']]) },
  )

test('every action has words of its own in every language, and one of another version is still a change', () => {
  const after = { amount: 500, count: 2, language: 'de', units: [{ name: 'Drink', count: 2 }] }
  for (const language of languages)
    inLanguage(language, () => {
      const unknown = actionOf({ ...row, action: 'unheard of' }, 'eur')
      const words = actions.flatMap(([subject, names]) =>
        names.split(', ').map((action) => actionOf({ subject, action, before: null, after }, 'eur')),
      )
      expect(words).not.toContain(unknown)
      expect(unknown).not.toContain('unheard')
      expect(words.filter((each) => each.trim() === '')).toEqual([])
    })
})

test('amounts, moments, limits and choices are in words, each in its currency and zone', () => {
  const before = { ticketPrice: 0, currency: 'eur', maxAttendees: 1200, startsAt: '2026-06-21T17:00:00.000Z' }
  const after = { ticketPrice: 1250, currency: 'eur', maxAttendees: null, startsAt: '2026-06-21T18:30:00.000Z' }
  expect(changes({ before, after })).toEqual([
    { field: 'Starts', before: '21/06/2026 19:00', after: '21/06/2026 20:30' },
    { field: 'Capacity', before: '1,200', after: 'No limit' },
    { field: 'Price', before: 'Free', after: '€12.50' },
  ])
  const moved = { before: { ...before, currency: 'jpy', ticketPrice: 900 }, after: { ...before, ticketPrice: 1250 } }
  expect(changes(moved)).toEqual([
    { field: 'Price', before: 'JP¥900', after: '€12.50' },
    { field: 'Currency', before: 'JPY', after: 'EUR' },
  ])
})

test('what the history does not know is never shown, whatever was logged', () => {
  const secrets = { token: 'abc', qrUuid: '0b9f5f6c', passwordHash: '$argon2', purchaseId: 9, scanId: 'x', status: 7 }
  for (const subject of ['event', 'extras', 'form', 'registration', 'checkin', 'club', 'user', 'page'] as const) {
    expect(
      changes({ subject, before: secrets, after: { ...secrets, token: 'def', fields: ['token', 'qrUuid'] } }),
    ).toEqual([])
    for (const odd of [null, 7, 'text', [secrets], { fields: 'name' }, { changed: [secrets] }])
      expect(changes({ subject, before: odd, after: odd })).toEqual([])
  }
})

test('what the log of an earlier version lacks is left out', () => {
  const before = { status: 'published', maxAttendees: 10 }
  expect(changes({ before, after: { status: 'published', maxAttendees: 20 } })).toEqual([
    { field: 'Capacity', before: '10', after: '20' },
  ])
  expect(changes({ subject: 'form', before: { questions: 1 }, after: { questions: 2 } })).toEqual([])
})

test('a role and the events of a helper are called by their names', () => {
  const before = { teamRole: 'door', eventIds: [7, 8] }
  expect(changes({ subject: 'user', before, after: { teamRole: 'manager', eventIds: null } })).toEqual([
    { field: 'Role', before: 'Door helper', after: 'Manager' },
    { field: 'Works at', before: 'Regatta, An event that was removed', after: 'All events' },
  ])
})

test('one long value does not fill the page', () => {
  const [change] = changes({ before: { location: 'A' }, after: { location: 'ü'.repeat(5000) } })
  expect(change?.after).toHaveLength(301)
})

test('what is usual in something new is not listed; a change to it is', () => {
  const draft = { name: 'Regatta', status: 'draft', ticketPrice: 0 }
  expect(changes({ action: 'added', after: draft })).toEqual([])
  expect(changes({ action: 'added', after: { ...draft, ticketPrice: 500 } })).toMatchObject([{ before: null }])
  expect(changes({ before: { ...draft, ticketPrice: 500 }, after: draft })).toMatchObject([{ field: 'Price' }])
})
