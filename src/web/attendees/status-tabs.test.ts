import { expect, test } from 'vitest'
import { statusTabs } from './status-tabs.ts'

const counts = { notIn: 5, in: 3, pending: 0, cancelled: 1 }
const none = { status: undefined, checkin: undefined }
const shown = (options: Partial<Parameters<typeof statusTabs>[0]>) =>
  statusTabs({ current: none, counts, total: 9, hasPrice: true, ...options }).map(
    ({ name, count, isCurrent }) => `${name} ${count}${isCurrent ? ' *' : ''}`,
  )

test('each attendee is counted under All and one other tab; the one of the address is current', () => {
  expect(shown({})).toEqual(['All 9 *', 'Not in yet 5', 'Arrived 3', 'Not paid 0', 'Cancelled 1'])
  expect(shown({ current: { status: 'confirmed', checkin: 'true' } })[2]).toBe('Arrived 3 *')
  expect(shown({ counts: null })[0]).toBe('All null *')
})

test('where nothing has to be paid there is no tab for it, unless somebody is in it or it is asked for', () => {
  expect(shown({ hasPrice: false })).not.toContain('Not paid 0')
  expect(shown({ hasPrice: false, counts: { ...counts, pending: 2 } })).toContain('Not paid 2')
  expect(shown({ hasPrice: false, current: { status: 'pending', checkin: undefined } })).toContain('Not paid 0 *')
})

test('filters of an old link that no tab has get a tab with the number found', () => {
  expect(shown({ current: { status: 'confirmed', checkin: undefined }, total: 8 })[0]).toBe('Confirmed 8 *')
  expect(shown({ current: { status: undefined, checkin: 'true' }, total: 4 })[0]).toBe('Any status, arrived 4 *')
  expect(shown({ current: { status: 'cancelled', checkin: 'false' }, total: 0 })).toHaveLength(6)
})
