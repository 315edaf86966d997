import { expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import {
  dropRefused,
  forgetDraft,
  forgetUnpaid,
  readTries,
  readUnpaid,
  saveTry,
  saveUnpaid,
  type Try,
} from './draft.ts'
import { readDraft } from './typed.ts'

/** A try with this name; the tests run without any session storage. */
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
  dropRefused(1, tryOf('Ida Lost-Smith'), [tryOf('Ida Lost')], new Refusal('SOLD_OUT'))
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

test('spaces around the input do not make a different try', () => {
  saveTry(3, tryOf('Ida '))
  saveTry(3, tryOf('Ida '))
  expect(readTries(3)).toEqual([tryOf('Ida')])
  dropRefused(3, tryOf('Ida '), [], new Refusal('SOLD_OUT'))
  expect(readTries(3)).toEqual([])
})

test('a try that may have arrived is kept, whatever is answered when it is sent again', () => {
  const [one, other] = [tryOf('Ida'), tryOf('Ida Lost')]
  const remaining = (refused: Try, before: Try[], refusal: Refusal) => {
    for (const each of [...before, refused]) saveTry(4, each)
    dropRefused(4, refused, before, refusal)
    const kept = readTries(4).length
    forgetDraft(4)
    return kept
  }
  expect(remaining(one, [one], new Refusal('SOLD_OUT'))).toBe(1)
  expect(remaining(tryOf('Ida '), [one], new Refusal('SOLD_OUT'))).toBe(1)
  expect(remaining(one, [], new Refusal('UNAVAILABLE'))).toBe(1)
  expect(remaining(one, [], new Refusal('PROOF_NEEDED'))).toBe(1)
  // An answer of a proxy does not count as ours.
  expect(remaining(one, [], new Refusal('INTERNAL', { status: 403 }))).toBe(1)
  expect(remaining(one, [], new Refusal('SOLD_OUT'))).toBe(0)
  expect(remaining(other, [one], new Refusal('IDEMPOTENCY_MISMATCH'))).toBe(1)
})
