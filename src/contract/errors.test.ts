import { expect, test } from 'vitest'
import { isDecided, isRefused, Refusal } from './errors.ts'
import { eventApi } from './events.ts'
import { fromAnswer } from './wire.ts'

function answered(status: number, body: unknown): unknown {
  try {
    return fromAnswer(eventApi.getEvent, status, body)
  } catch (error) {
    return error
  }
}

test('what somebody on the way answers refuses and decides nothing, whatever its status', () => {
  for (const status of [400, 403, 404, 409, 413, 422, 429, 500, 502, 503]) {
    for (const body of [null, '<html>', {}, { code: 'TEAPOT' }]) {
      expect(isRefused(answered(status, body))).toBe(false)
      expect(isDecided(answered(status, body))).toBe(false)
    }
  }
  expect(isDecided(new Error('not even a refusal'))).toBe(false)
})

test('the server refuses by its codes, and decides by those that are about what was asked', () => {
  for (const code of ['NOT_FOUND', 'TICKET_CANCELLED', 'INVALID_INPUT', 'NOT_READABLE'] as const)
    expect(isDecided(answered(new Refusal(code).status, { code }))).toBe(true)
  for (const code of ['SIGN_IN_NEEDED', 'XSRF', 'NOT_ALLOWED', 'TOO_MANY_TRIES', 'PROOF_NEEDED'] as const) {
    expect(isRefused(new Refusal(code))).toBe(true)
    expect(isDecided(new Refusal(code))).toBe(false)
  }
})
