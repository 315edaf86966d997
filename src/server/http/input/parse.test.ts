import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { formatFields, Refusal } from '../../../contract/errors.ts'
import { ticketApi } from '../../../contract/tickets.ts'
import { MOST_ERRORS, MOST_VALUES, parse } from './parse.ts'

function refusalOf(schema: z.ZodMiniType, value: unknown): Refusal {
  try {
    parse(schema, value)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('It was accepted.')
}

const schema = z.strictObject({ name: z.string(), items: z.optional(z.array(z.strictObject({ id: z.int() }))) })
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))

test('20,000 unknown keys name the first hundred, each once', () => {
  const { code, fields } = refusalOf(schema, keys(20_000))
  expect(code).toBe('INVALID_INPUT')
  expect(fields).toHaveLength(MOST_ERRORS)
  expect(new Set(fields.map(({ path }) => path)).size).toBe(MOST_ERRORS)
})

test('of several failed checks of a field the first is told', () => {
  const strict = z.object({ text: z.string().check(z.minLength(3, 'short'), z.regex(/^x/, 'no x')) })
  expect(formatFields(refusalOf(strict, { text: 'a' }).fields)).toEqual([{ path: 'text', msg: 'short' }])
})

test('a body of very many values is refused before it is read', () => {
  expect(refusalOf(schema, keys(MOST_VALUES + 1)).code).toBe('TOO_LARGE')
  const items = Array.from({ length: MOST_VALUES / 2 + 1 }, () => ({ id: 'x' }))
  expect(refusalOf(schema, { name: 'x', items }).code).toBe('TOO_LARGE')
})

test('a long list within the limit is read whole', () => {
  const items = Array.from({ length: MOST_VALUES / 2 - 10 }, (_, id) => ({ id }))
  expect(parse(schema, { name: 'x', items }).items).toHaveLength(items.length)
})

test('many wrong answers of a registration name a hundred fields', () => {
  const others = Array.from({ length: 200 }, () => ({ qId: 'x', answer: 1 }))
  const { fields } = refusalOf(ticketApi.correct.input, { payload: { registrationData: { others } } })
  expect(fields).toHaveLength(MOST_ERRORS)
})
