import { expect, test } from 'vitest'
import { endpoints } from './all-calls.ts'
import { formatFields, Refusal } from './errors.ts'
import { eventApi } from './events.ts'
import { fromAnswer, toRequest } from './wire.ts'

test('a query is text on the wire, moments are ISO 8601 with offset', () => {
  expect(toRequest(eventApi.getEvent, { eventId: 7 })).toEqual({
    method: 'GET',
    url: '/api/event/getEvent?eventId=7',
    body: null,
  })
  const { body } = toRequest(eventApi.save, { name: 'x', startsAt: new Date('2026-11-20T19:00:00Z') })
  expect(JSON.parse(body ?? '')).toEqual({ name: 'x', startsAt: '2026-11-20T19:00:00.000Z' })
})

test('a refusal is thrown as the server threw it; an answer that is none of ours has the server’s fault', () => {
  const answer = { code: 'SOLD_OUT', msg: 'Gone.', errors: [{ path: 'a', msg: 'b' }, 'nonsense'], payload: 1 }
  const thrown = (status: number, body: unknown) => {
    try {
      return fromAnswer(eventApi.getEvent, status, body)
    } catch (error) {
      return error
    }
  }
  expect(thrown(409, answer)).toMatchObject({
    code: 'SOLD_OUT',
    message: 'Gone.',
    payload: 1,
  })
  const refused = thrown(409, answer)
  expect(refused instanceof Refusal && formatFields(refused.fields)).toEqual([{ path: 'a', msg: 'b' }])
  expect(thrown(502, '<html>')).toMatchObject({
    code: 'INTERNAL',
    status: 502,
    message: 'Request failed with status code 502',
  })
  expect(thrown(418, { code: 'TEAPOT', msg: 'Short and stout' })).toMatchObject({
    status: 418,
    message: 'Short and stout',
  })
  expect(thrown(500, {})).toMatchObject({ message: 'Request failed with status code 500' })
  expect(thrown(409, { code: 'SOLD_OUT' })).toMatchObject({ message: 'Sorry, the last place has just gone.' })
  expect(thrown(503, null)).toBeInstanceOf(Refusal)
  // A success that cannot be read is as good as no answer.
  for (const body of [null, '<html>', {}, { payload: { id: 'x' } }])
    expect(thrown(200, body)).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
})

test('each call has an address and a sentence of its own', () => {
  expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(endpoints.length)
  for (const { summary } of endpoints) expect(summary).toMatch(/\.$/)
})
