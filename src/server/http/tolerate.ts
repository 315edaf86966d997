import * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { isIdSchema, refusesNull } from '../../contract/values/fields.ts'

type Call = Pick<Endpoint, 'method' | 'input' | 'sentBack'>

/**
 * Reads an input as clients write it who know the specification alone, before the schema judges it. Left out counts what is blank,
 * `null` or `undefined` in a query, and `null` for an optional field of a body; ids may be digits in text; of an entity that is sent
 * back as it was answered the read-only fields go. A query's unknown keys go too; those of a body stay, for the schema to refuse.
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
  /** Where in the body; what is in a list stands where the list does. */
  path: string
  /** What a client has been answered for what stands here, where it may be sent back. */
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

/** The first of several shapes that it fits. */
function readOneOf(options: readonly z.core.$ZodType[], value: unknown, place: Place): unknown {
  for (const option of options) {
    const read = readBody(option, value, place)
    if (z.core.safeParse(option, read).success) return read
  }
  return value
}

/** Whether a field of an object may be left out, for good or for what stands in its place then. */
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

/** What stands in a list; an entity named for a list's place is that already. */
function elementOf(entity: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  return entity instanceof z.ZodMiniArray ? entity.def.element : entity
}

function own(shape: z.core.$ZodShape, key: string): z.core.$ZodType | undefined {
  return Object.hasOwn(shape, key) ? shape[key] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
