import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '../../contract/all-calls.ts'
import { moment } from '../../contract/values/fields.ts'
import { makeJsonWriter } from './json-writer.ts'

const schema = z.object({
  id: z.int(),
  name: z.string(),
  'odd "key"': z.boolean(),
  kind: z.enum(['a', 'b']),
  at: z.nullable(moment),
  note: z.optional(z.string()),
  list: z.array(z.object({ price: z.number(), nothing: z.null() })),
  either: z.union([z.string(), z.array(z.string())]),
})

const value = {
  id: 1,
  name: 'Zoë "Z"\n\u2028 O’Neill',
  'odd "key"': true,
  kind: 'b' as const,
  at: new Date('2026-06-21T17:00:00.5Z'),
  list: [
    { price: 1.5, nothing: null },
    { price: -0, nothing: null },
  ],
  either: ['x'],
}

test('a payload is written as encoding it and then writing it would', () => {
  const write = makeJsonWriter(schema)
  for (const each of [value, { ...value, at: null, note: '', list: [], either: 'x' }])
    expect(write(each)).toBe(JSON.stringify(z.encode(schema, each)))
})

test('texts are escaped as JSON.stringify does, short or long', () => {
  const write = makeJsonWriter(z.string())
  const characters = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code))
  const others = ['', 'é', '\u2028', '😀', '\ud83d', '\ude00', 'x'.repeat(100), `${'x'.repeat(100)}"`]
  for (const text of [...characters, ...others]) expect(write(`a${text}`)).toBe(JSON.stringify(`a${text}`))
})

test('what the schema does not name is not written', () => {
  expect(makeJsonWriter(schema)({ ...value, passwordHash: 'secret' })).not.toContain('secret')
})

test('a value that is not what the schema says is a fault, and is not told', () => {
  const write = makeJsonWriter(schema)
  for (const wrong of [
    { ...value, id: 'Ana' },
    { ...value, name: undefined },
    { ...value, at: 'Ana' },
    { ...value, list: 'Ana' },
    { ...value, either: { name: 'Ana' } },
    { ...value, either: [1] },
  ]) {
    expect(() => write(wrong)).toThrow(TypeError)
    expect(() => write(wrong)).not.toThrow(/Ana/)
  }
  expect(() => write({ ...value, id: Number.NaN })).toThrow(TypeError)
})

test('every payload of the contract has its writer', () => {
  for (const { payload } of endpoints) expect(makeJsonWriter(payload)).toBeTypeOf('function')
})
