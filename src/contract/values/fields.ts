import * as z from 'zod/mini'
// By its own name: the build takes functions of `z` for pure, and would leave this call out of the visitors' script.
import { config } from 'zod/mini'
import * as texts from '../../texts/generated/fields.ts'
import type { Message } from '../../texts/language.ts'

// The default messages of all checks that do not bring their own.
config({
  localeError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined || issue.input === null
          ? texts.required()
          : texts.expected({ kind: issue.expected })
      case 'too_big':
        return issue.origin === 'string'
          ? texts.mostCharacters({ most: String(issue.maximum) })
          : texts.most({ most: String(issue.maximum) })
      case 'too_small':
        return issue.origin === 'string'
          ? texts.leastCharacters({ least: String(issue.minimum) })
          : texts.least({ least: String(issue.minimum) })
      case 'unrecognized_keys':
        return texts.unknownField()
      default:
        return texts.notValid()
    }
  },
})

/** A row's id: a positive integer. */
export const id = z
  .int()
  .check(z.positive({ error: texts.idExpected }), z.maximum(2_147_483_647, { error: texts.idExpected }))

/** A question's type: its index in `questionTypes` (`contract/forms.ts`). */
export const typeId = z
  .int()
  .check(z.minimum(0, { error: texts.typeNeeded }), z.maximum(4, { error: texts.typeNeeded }))

/** Whether a schema is that of an id, which the server reads from digits in text too. */
export function isIdSchema(schema: unknown): boolean {
  return schema === id || schema === typeId
}

const needingAnswer = new WeakSet<object>()

/** A field that means everything when it is left out. `null` does not count as left out: a client that lost the value sends that. */
export function allWithout<T extends z.ZodMiniType>(field: T): z.ZodMiniOptional<T> {
  const optional = z.optional(field)
  needingAnswer.add(optional)
  return optional
}

/** Whether `null` must be refused for the field, although it may be left out. */
export function refusesNull(field: object): boolean {
  return needingAnswer.has(field)
}

/** Some ids in a query string, with commas between. */
export const idsText = z.codec(
  z.string().check(z.regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/, { error: texts.idsExpected })),
  z.array(id),
  {
    decode: (text) => text.split(',').map(Number),
    encode: (ids) => ids.join(','),
  },
)

/** Yes or no in a query string. */
export const booleanText = z.codec(z.enum(['true', 'false']), z.boolean(), {
  decode: (text) => text === 'true',
  encode: (value) => (value ? 'true' : 'false'),
})

/** How often a row was saved; sent back with an edit, so that nobody overwrites what they have not seen. */
export const version = z.int().check(z.positive())

/** An id in a query string, where everything is text. */
export const idText = z.codec(z.string().check(z.regex(/^[1-9]\d{0,9}$/, { error: texts.idExpected })), id, {
  decode: Number,
  encode: String,
})

/** A day as `yyyy-mm-dd`; a time after it, as date-time inputs send, is dropped. */
export const day = z.string().check(
  z.overwrite((text) => text.replace(/^(\d{4}-\d{2}-\d{2})T[\d:.]{5,20}(?:Z|[+-]\d{2}:?\d{2})?$/, '$1')),
  z.iso.date({ error: texts.dateLike }),
)

/** A moment: ISO 8601 text with offset on the wire, a `Date` in code. */
export const moment = z.codec(
  z.iso.datetime({ offset: true, error: texts.momentNeeded }),
  z.date({ error: texts.momentNeeded }).check(
    // Far beyond these, ISO 8601 needs more digits than its parsers accept.
    z.minimum(new Date('1900-01-01T00:00:00Z'), { error: texts.yearRange }),
    z.maximum(new Date('2500-01-01T00:00:00Z'), { error: texts.yearRange }),
  ),
  { decode: (text) => new Date(text), encode: (date) => date.toISOString() },
)

/** Money in the currency's minor unit (cents). */
export const amount = z
  .int({ error: texts.amountNeeded })
  .check(z.nonnegative({ error: texts.zeroOrMore }), z.maximum(100_000_000))

// Noncharacters (U+FFFE, U+FFFF and their like) are no XML, so a spreadsheet with one of them cannot be opened.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
export const singleLine = /^[^\u0000-\u001f\u007f\u2028\u2029\p{Cs}\p{Noncharacter_Code_Point}]*$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same; line breaks and tabs are welcome.
const manyLines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}\p{Noncharacter_Code_Point}]*$/u

/** Whether a text has a visible character: zero-width characters, fillers and marks without a letter do not count. */
export function isVisible(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}

/** One line of text that may be empty, trimmed, at most `max` characters. */
export function line(max: number) {
  return z.string().check(z.trim(), z.maxLength(max), z.regex(singleLine, { error: texts.oneLine }))
}

/** One line of text with at least one visible character. */
export function requiredLine(max: number, msg: Message = texts.required) {
  return z
    .string()
    .check(
      z.trim(),
      z.refine(isVisible, { error: msg }),
      z.maxLength(max),
      z.regex(singleLine, { error: texts.oneLine }),
    )
}

/** Text of several lines, may be empty. */
export function paragraph(max: number) {
  return z.string().check(z.trim(), z.maxLength(max), z.regex(manyLines, { error: texts.plainText }))
}

// Before the @, only what mail servers everywhere accept, and no hyphen at either end: programs read that as an option. After it, letters
// of any script, which are sent as Punycode.
const letter = '[\\p{L}\\p{M}\\p{N}]'
const label = `${letter}(?:(?:${letter}|-){0,61}${letter})?`
const emailPattern = new RegExp(
  `^(?!.*\\.\\.)[A-Za-z0-9_'+](?:[A-Za-z0-9_'+.-]*[A-Za-z0-9_+])?@(?:${label}\\.)+(?:[\\p{L}\\p{M}]{2,63}|xn--${label})$`,
  'u',
)

/** An e-mail address. At most 254 characters (RFC 5321). */
export const email = z.string().check(
  z.trim(),
  z.minLength(1, { error: texts.emailNeeded }),
  z.normalize(),
  z.maxLength(254),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  z.regex(/^(?:[\u0000-\u007f]*@|[^@]*$)/, { error: texts.emailLetters }),
  z.regex(emailPattern, { error: texts.emailLike }),
)

/** A phone number as people write it, or nothing. */
export const phone = z.string().check(z.trim(), z.regex(/^(?:\+?[0-9][0-9 ()./-]{3,28})?$/, { error: texts.phoneLike }))
