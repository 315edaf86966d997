import * as z from 'zod/mini'
import { id, line, paragraph } from '../../contract/values/fields.ts'
import type { MovedIds, Numbered } from './moved-ids.ts'

/** Makes what is stored of a column out of what the file has. Throws the schema's error for what does not fit. */
export type Field = (raw: unknown, ids: MovedIds) => unknown

/** A column of this shape, stored as it is or as `toStored` makes it. */
export function field<T>(schema: z.ZodMiniType<T>, toStored?: (value: T, ids: MovedIds) => unknown): Field {
  return (raw, ids) => {
    const value = z.parse(schema, raw)
    return toStored ? toStored(value, ids) : value
  }
}

/** The row's own number. */
export const own = (of: Numbered): Field => field(id, (value, ids) => ids.define(of, value))

/** The number of another row of the file, which may come later. */
export const ref = (to: Numbered): Field => field(id, (value, ids) => ids.need(to, value))

/** The same, or null. */
export const optionalRef = (to: Numbered): Field =>
  field(z.nullable(id), (value, ids) => (value === null ? null : ids.need(to, value)))

/** The number of a row that may be gone: it gets a new number all the same, which no other row has. */
export const looseRef = (to: Numbered): Field =>
  field(z.nullable(id), (value, ids) => (value === null ? null : ids.of(to, value)))

/** Numbers of rows that came before; others are left out. */
export const refs = (to: Numbered): Field =>
  field(z.array(id).check(z.maxLength(1000)), (values, ids) => values.flatMap((value) => ids.known(to, value) ?? []))

export const text = (max = 1000): Field => field(line(max))
export const longText = field(paragraph(20_000))
export const optionalText = field(z.nullable(line(1000)))
export const flag = field(z.boolean())
/** A 32 bit integer. */
const integer = z.int().check(z.minimum(-2_147_483_648), z.maximum(2_147_483_647))
export const number = field(integer)
export const optionalNumber = field(z.nullable(integer))
export const ratio = field(z.nullable(z.number()))
const time = z.iso.datetime({ offset: true })
export const moment = field(time)
export const optionalMoment = field(z.nullable(time))
export const secret = field(z.uuid())

/** One of a few words, as the database has them. */
export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T): Field => field(z.enum(words))
export const optionalOneOf = <const T extends readonly [string, ...string[]]>(...words: T): Field =>
  field(z.nullable(z.enum(words)))
