import { expect, test } from 'vitest'
import { endAfter } from './event-form-values.ts'

test('the end follows the start and keeps the duration; a new event lasts three hours', () => {
  const party = { startsAt: '21/06/2030 18:00', endsAt: '21/06/2030 23:00' }
  expect(endAfter(party, '26/06/2030 19:30')).toBe('27/06/2030 00:30')
  expect(endAfter(party, '14/06/2030 18:00')).toBe('14/06/2030 23:00')
  expect(endAfter({ startsAt: '21/06/2030 18:00', endsAt: '23/06/2030 12:00' }, '28/06/2030 18:00')).toBe(
    '30/06/2030 12:00',
  )
  expect(endAfter({ startsAt: '', endsAt: '' }, '26/06/2030 19:30')).toBe('26/06/2030 22:30')
})

test('the end stays where it cannot be known, or was typed first', () => {
  expect(endAfter({ startsAt: '', endsAt: '' }, 'soon')).toBeNull()
  expect(endAfter({ startsAt: '', endsAt: 'late' }, '26/06/2030 19:30')).toBeNull()
  expect(endAfter({ startsAt: '', endsAt: '26/06/2030 23:00' }, '26/06/2030 19:30')).toBeNull()
})
