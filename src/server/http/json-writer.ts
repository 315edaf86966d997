import * as z from 'zod/mini'

/** Writes a value as JSON. Throws on a value that does not match its schema: that is a bug. */
export type WriteJson = (value: unknown) => string

/**
 * Makes the function that writes a payload's JSON from its schema: the contract's fields and nothing else, as `z.encode` and
 * `JSON.stringify` would, in one pass without objects in between. It detects a value of the wrong type, not a text that is too long.
 */
export function makeJsonWriter(schema: z.core.$ZodType): WriteJson {
  if (schema instanceof z.ZodMiniObject) return objectWriter(schema.shape)
  if (schema instanceof z.ZodMiniArray) return arrayWriter(makeJsonWriter(schema.def.element))
  if (schema instanceof z.ZodMiniNullable) {
    const write = makeJsonWriter(schema.def.innerType)
    return (value) => (value === null ? 'null' : write(value))
  }
  // A default is for readers of older answers; the server always has the value.
  if (schema instanceof z.ZodMiniDefault) return makeJsonWriter(schema.def.innerType)
  if (schema instanceof z.ZodMiniOptional) return makeJsonWriter(schema.def.innerType)
  if (schema instanceof z.ZodMiniString || schema instanceof z.ZodMiniEnum) return writeText
  if (schema instanceof z.ZodMiniNumber) return writeNumber
  if (schema instanceof z.ZodMiniBoolean) return writeBoolean
  if (schema instanceof z.ZodMiniNull) return (value) => (value === null ? 'null' : wrong('null', value))
  if (isMoment(schema)) return (value) => (value instanceof Date ? `"${value.toISOString()}"` : wrong('a date', value))
  if (isTextOrTexts(schema)) return (value) => (typeof value === 'string' ? writeText(value) : writeTexts(value))
  // Other unions and rare schemas.
  return (value) => JSON.stringify(z.encode(schema, value))
}

function objectWriter(shape: z.core.$ZodShape): WriteJson {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    key: `${JSON.stringify(name)}:`,
    isOptional: schema instanceof z.ZodMiniOptional,
    write: makeJsonWriter(schema),
  }))
  return (value) => {
    if (!isObject(value)) return wrong('an object', value)
    let text = ''
    for (const { name, key, isOptional, write } of fields) {
      const item = value[name]
      if (item === undefined && isOptional) continue
      text += (text === '' ? key : `,${key}`) + write(item)
    }
    return `{${text}}`
  }
}

function arrayWriter(write: WriteJson): WriteJson {
  return (value) => (Array.isArray(value) ? `[${value.map(write).join(',')}]` : wrong('a list', value))
}

const writeNumber: WriteJson = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? `${value}` : wrong('a number', value)

const writeBoolean: WriteJson = (value) => (typeof value === 'boolean' ? `${value}` : wrong('a boolean', value))

/** Longer texts are left to `JSON.stringify`, which then is faster than looking at each character. */
const SHORT = 48

const writeText: WriteJson = (value) => {
  if (typeof value !== 'string') return wrong('a string', value)
  return value.length > SHORT || hasSpecial(value) ? JSON.stringify(value) : `"${value}"`
}

const writeTexts = arrayWriter(writeText)

/** Whether JSON writes some of it as an escape: quotes, backslashes, control characters and halves of surrogate pairs. */
function hasSpecial(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return true
  }
  return false
}

/** Whether it is either a text or a list of texts, as an answer to a question is. */
function isTextOrTexts(schema: z.core.$ZodType): boolean {
  if (!(schema instanceof z.ZodMiniUnion) || schema.def.options.length !== 2) return false
  const [one, many] = schema.def.options
  return one instanceof z.ZodMiniString && many instanceof z.ZodMiniArray && many.def.element instanceof z.ZodMiniString
}

function isMoment(schema: z.core.$ZodType): boolean {
  return (
    schema instanceof z.ZodMiniCodec &&
    schema.def.in instanceof z.ZodMiniString &&
    schema.def.out instanceof z.ZodMiniDate
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value itself is left out: it may be personal data. */
function wrong(expected: string, value: unknown): never {
  throw new TypeError(`An answer holds ${value === null ? 'null' : typeof value} where its schema has ${expected}.`)
}
