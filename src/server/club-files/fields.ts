import * as z from 'zod/mini'
import { amount, moment as anyMoment, id, line, paragraph, requiredLine } from '../../contract/values/fields.ts'
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

/** The number of a row that came before; null when it is gone. */
export const looseRef = (to: Numbered): Field =>
  field(z.nullable(id), (value, ids) => (value === null ? null : (ids.known(to, value) ?? null)))

/** The number of an order, which is that of a registration that comes later or is gone. */
export const orderRef = field(z.nullable(id), (value, ids) => (value === null ? null : ids.of('registrations', value)))

/** Numbers of rows that came before; others are left out. */
export const refs = (to: Numbered): Field =>
  field(z.array(id).check(z.maxLength(1000)), (values, ids) => values.flatMap((value) => ids.known(to, value) ?? []))

export const text = (max = 1000): Field => field(line(max))
export const longText = field(paragraph(20_000))
export const optionalText = field(z.nullable(line(1000)))
export const flag = field(z.boolean())
export const name = (max: number): Field => field(requiredLine(max))
/** A count, or a place in a list. */
const count = z.int().check(z.minimum(0), z.maximum(1_000_000))
export const number = field(count)
export const optionalNumber = field(z.nullable(count))
export const money = field(amount)
export const optionalMoney = field(z.nullable(amount))
export const ratio = field(z.nullable(z.number().check(z.minimum(0.01), z.maximum(100))))
const toText = (at: Date) => at.toISOString()
export const moment = field(anyMoment, toText)
export const optionalMoment = field(z.nullable(anyMoment), (at) => at && toText(at))
export const secret = field(z.uuid())

/** One of a few words, as the database has them. */
export const oneOf = <const T extends readonly [string, ...string[]]>(...words: T): Field => field(z.enum(words))
export const optionalOneOf = <const T extends readonly [string, ...string[]]>(...words: T): Field =>
  field(z.nullable(z.enum(words)))
