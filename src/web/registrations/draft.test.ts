import { expect, test } from 'vitest'
import {
  dropTry,
  forgetDraft,
  forgetUnpaid,
  readDraft,
  readTries,
  readUnpaid,
  saveTry,
  saveUnpaid,
  type Try,
} from './draft.ts'

/** Here there is no session storage at all. */
const tryOf = (name: string): Try => ({
  newRegistration: {
    eventId: 1,
    clubId: 2,
    registrationData: { name, email: 'ida@example.org', phone: '+49301234567', others: [] },
  },
  extrasIds: [3, 3],
  idempotencyKey: 'one',
})

test('every try without an answer is kept, each once, until it is settled', () => {
  saveTry(1, tryOf('Ida Lost'))
  saveTry(1, tryOf('Ida Lost-Smith'))
  saveTry(1, tryOf('Ida Lost'))
  expect(readTries(1)).toEqual([tryOf('Ida Lost-Smith'), tryOf('Ida Lost')])
  expect(readTries(2)).toEqual([])
  dropTry(1, tryOf('Ida Lost-Smith'))
  expect(readTries(1)).toEqual([tryOf('Ida Lost')])
  saveUnpaid(1, { id: 7, qrUuid: 'secret' })
  expect(readTries(1)).toEqual([])
  expect(readUnpaid(1)).toEqual({ id: 7, qrUuid: 'secret' })
  forgetUnpaid(1)
  expect(readUnpaid(1)).toBeNull()
  saveTry(1, tryOf('Ida Lost'))
  forgetDraft(1)
  expect([readTries(1), readDraft(1)]).toEqual([[], {}])
})
