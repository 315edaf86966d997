import * as z from 'zod/mini'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { isIdSchema, refusesNull } from '../../../contract/values/fields.ts'

type Call = Pick<Endpoint, 'method' | 'input' | 'sentBack'>

/**
 * Normalizes an input from clients that know only the specification, before the schema validates it. What is blank, `null` or `undefined`
 * in a query, and `null` for an optional field of a body, counts as left out; ids may be digits in text; the read-only fields of an entity
 * that is sent back as received are dropped. A query's unknown keys are dropped too; those of a body stay, for the schema to refuse.
 */
export function tolerate({ method, input, sentBack = {} }: Call, raw: unknown): unknown {
  return method === 'GET' ? readQuery(input, raw) : readBody(input, raw, { sentBack, path: '', entity: sentBack[''] })
}

const nothing: readonly unknown[] = ['', 'null', 'undefined']

function readQuery(schema: z.core.$ZodType, raw: unknown): unknown {
  if (!isObject(raw) || !(schema instanceof z.ZodMiniObject)) return raw
  const names = new Set(Object.keys(schema.shape))
  return Object.fromEntries(Object.entries(raw).filter(([name, text]) => names.has(name) && !nothing.includes(text)))
}

interface Place {
  sentBack: NonNullable<Call['sentBack']>
  /** Path in the body; items of a list have the path of the list. */
  path: string
  /** The schema of the entity that may be sent back at this path. */
  entity: z.core.$ZodType | undefined
}

function readBody(schema: z.core.$ZodType, value: unknown, place: Place): unknown {
  const kind = unwrapped(schema)
  if (isIdSchema(kind)) return typeof value === 'string' && /^(?:0|[1-9]\d{0,9})$/.test(value) ? Number(value) : value
  if (kind instanceof z.ZodMiniArray && Array.isArray(value)) {
    const entity = elementOf(place.entity)
    return value.map((item: unknown) => readBody(kind.def.element, item, { ...place, entity }))
  }
  if (!isObject(value)) return value
  if (kind instanceof z.ZodMiniObject) return readObject(kind.shape, value, place)
  return kind instanceof z.core.$ZodUnion ? readOneOf(kind._zod.def.options, value, place) : value
}

function readObject(shape: z.core.$ZodShape, value: Record<string, unknown>, place: Place): unknown {
  const answered = shapeOf(place.entity)
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const field = own(shape, key)
    if (!field) return own(answered, key) ? [] : [[key, item]]
    if (item === null && isOptional(field) && !refusesNull(field) && !z.core.safeParse(field, null).success) return []
    const path = place.path === '' ? key : `${place.path}.${key}`
    const entity = place.sentBack[path] ?? own(answered, key)
    return [[key, readBody(field, item, { ...place, path, entity: entity && unwrapped(entity) })]]
  })
  return Object.fromEntries(entries)
}

/** The value as read by the first shape that it fits. */
function readOneOf(options: readonly z.core.$ZodType[], value: unknown, place: Place): unknown {
  for (const option of options) {
    const read = readBody(option, value, place)
    if (z.core.safeParse(option, read).success) return read
  }
  return value
}

/** Whether a field of an object may be left out, with or without a default. */
export function isOptional(field: z.core.$ZodType): boolean {
  return field._zod.optin !== undefined
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniDefault
  return isWrapper ? unwrapped(schema.def.innerType) : schema
}

function shapeOf(entity: z.core.$ZodType | undefined): z.core.$ZodShape {
  return entity instanceof z.ZodMiniObject ? entity.shape : {}
}

/** The schema of a list's items; an entity named for a list's path is that already. */
function elementOf(entity: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return entity instanceof z.ZodMiniArray ? entity.def.element : entity
}

function own(shape: z.core.$ZodShape, key: string): z.core.$ZodType | undefined {
  return Object.hasOwn(shape, key) ? shape[key] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
