import { expect, test } from 'vitest'
import { verdictOf } from './verdict.ts'

test('a refusal leads with its reason', () => {
  const words = [
    'NOT_FOUND',
    'INVALID_QR',
    'WRONG_SCANNER',
    'WRONG_EVENT',
    'TICKET_CANCELLED',
    'TICKET_UNPAID',
    'TICKET_HANDED_ON',
    'EVENT_OVER',
  ]
  expect(words.map((code) => [code, verdictOf({ code }).word])).toEqual([
    ['NOT_FOUND', 'Unknown code'],
    ['INVALID_QR', 'Unknown code'],
    ['WRONG_SCANNER', 'A voucher'],
    ['WRONG_EVENT', 'Other event'],
    ['TICKET_CANCELLED', 'Cancelled'],
    ['TICKET_UNPAID', 'Not paid'],
    ['TICKET_HANDED_ON', 'Given away'],
    ['EVENT_OVER', 'Not valid'],
  ])
  expect(verdictOf({ code: null }).word).toBe('Valid')
  expect(verdictOf({ code: 'ALREADY_CHECKED_IN' }).word).toBe('Already in')
})
