import { expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { isFinal, isUnanswered } from './outcome.ts'

test('only an answer of Turnout’s own says what became of a call, whatever the status', () => {
  expect(isUnanswered(new Refusal('REFUND_TOO_LARGE'))).toBe(false)
  expect(isUnanswered(new Refusal('SIGN_IN_NEEDED'))).toBe(false)
  expect(isUnanswered(new Refusal('UNAVAILABLE'))).toBe(true)
  expect(isUnanswered(new Refusal('INTERNAL'))).toBe(true)
  expect(isUnanswered(new Refusal('INTERNAL', { status: 403 }))).toBe(true)
})

test('what asks by itself stops where the answer stays the same', () => {
  expect(isFinal(null)).toBe(false)
  expect(isFinal(new Refusal('NOT_FOUND'))).toBe(true)
  expect(isFinal(new Refusal('NOT_ALLOWED'))).toBe(true)
  expect(isFinal(new Refusal('INTERNAL', { status: 404 }))).toBe(false)
  expect(isFinal(new Refusal('SIGN_IN_NEEDED'))).toBe(false)
  expect(isFinal(new Refusal('TOO_MANY_TRIES'))).toBe(false)
  expect(isFinal(new Refusal('UNAVAILABLE'))).toBe(false)
})
