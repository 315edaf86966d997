import * as z from 'zod/mini'
// By its own name: the build takes functions of `z` for pure, and would leave this call out of the visitors' script.
import { config } from 'zod/mini'

// The default messages of all checks that do not bring their own.
config({
  localeError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined || issue.input === null ? 'This is required.' : `Expected ${issue.expected}.`
      case 'too_big':
        return issue.origin === 'string' ? `Use at most ${issue.maximum} characters.` : `At most ${issue.maximum}.`
      case 'too_small':
        return issue.origin === 'string' ? `Use at least ${issue.minimum} characters.` : `At least ${issue.minimum}.`
      case 'unrecognized_keys':
        return 'This field is not known.'
      default:
        return 'This is not valid.'
    }
  },
})

/** A row's id: a positive integer. */
export const id = z.int().check(z.positive('Expected an id.'), z.maximum(2_147_483_647, 'Expected an id.'))

/** A question's type: its index in `questionTypes` (`contract/forms.ts`). */
export const typeId = z.int().check(z.minimum(0, 'Choose a type.'), z.maximum(4, 'Choose a type.'))

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
  z.string().check(z.regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9})*$/, 'Expected ids.')),
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
export const idText = z.codec(z.string().check(z.regex(/^[1-9]\d{0,9}$/, 'Expected an id.')), id, {
  decode: Number,
  encode: String,
})

/** A day as `yyyy-mm-dd`; a time after it, as date-time inputs send, is dropped. */
export const day = z.string().check(
  z.overwrite((text) => text.replace(/^(\d{4}-\d{2}-\d{2})T[\d:.]{5,20}(?:Z|[+-]\d{2}:?\d{2})?$/, '$1')),
  z.iso.date('Enter a date like 2026-11-20.'),
)

/** A moment: ISO 8601 text with offset on the wire, a `Date` in code. */
export const moment = z.codec(
  z.iso.datetime({ offset: true, error: 'Enter a date and time.' }),
  z.date('Enter a date and time.').check(
    // Far beyond these, ISO 8601 needs more digits than its parsers accept.
    z.minimum(new Date('1900-01-01T00:00:00Z'), 'Enter a year from 1900 to 2500.'),
    z.maximum(new Date('2500-01-01T00:00:00Z'), 'Enter a year from 1900 to 2500.'),
  ),
  { decode: (text) => new Date(text), encode: (date) => date.toISOString() },
)

/** Money in the currency's minor unit (cents). */
export const amount = z
  .int('Enter an amount.')
  .check(z.nonnegative('Enter an amount of 0 or more.'), z.maximum(100_000_000))

/** ISO 4217 code in lower case. Whether cards can be charged in it is checked on saving (`contract/values/currencies.ts`). */
export const currency = z.string().check(z.regex(/^[a-z]{3}$/, 'Choose a currency.'))

/** An IANA time zone that this platform knows. */
export const timeZone = z.string().check(z.refine(isTimeZone, 'Choose a time zone.'))

// Noncharacters (U+FFFE, U+FFFF and their like) are no XML, so a spreadsheet with one of them cannot be opened.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses.
const singleLine = /^[^\u0000-\u001f\u007f\u2028\u2029\p{Cs}\p{Noncharacter_Code_Point}]*$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same; line breaks and tabs are welcome.
const manyLines = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\p{Cs}\p{Noncharacter_Code_Point}]*$/u

/** Whether a text has a visible character: zero-width characters, fillers and marks without a letter do not count. */
export function isVisible(text: string): boolean {
  return /[^\p{Cc}\p{Cf}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}

/** One line of text that may be empty, trimmed, at most `max` characters. */
export function line(max: number) {
  return z.string().check(z.trim(), z.maxLength(max), z.regex(singleLine, 'Use one line of plain text.'))
}

/** One line of text with at least one visible character. */
export function requiredLine(max: number, msg = 'This is required.') {
  return z
    .string()
    .check(z.trim(), z.refine(isVisible, msg), z.maxLength(max), z.regex(singleLine, 'Use one line of plain text.'))
}

/** Text of several lines, may be empty. */
export function paragraph(max: number) {
  return z.string().check(z.trim(), z.maxLength(max), z.regex(manyLines, 'Use plain text.'))
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
  z.minLength(1, 'Enter an e-mail address.'),
  z.normalize(),
  z.maxLength(254),
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  z.regex(/^(?:[\u0000-\u007f]*@|[^@]*$)/, 'Use an e-mail address that has only the letters a to z before the @.'),
  z.regex(emailPattern, 'Enter an e-mail address like name@example.org.'),
)

/** A phone number as people write it, or nothing. */
export const phone = z
  .string()
  .check(z.trim(), z.regex(/^(?:\+?[0-9][0-9 ()./-]{3,28})?$/, 'Enter a phone number like +44 20 7946 0958.'))

/** A new password: at least 8 characters, at least one digit (the specification's messages). */
export const newPassword = z
  .string('Password is required!')
  .check(
    z.minLength(1, 'Password is required!'),
    z.minLength(8, 'Password must be 8 or more characters!'),
    z.maxLength(256),
    z.regex(/\d/, 'Password must include at least one number!'),
  )

/** A web address of http or https, or nothing. */
export const website = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500),
    z.regex(/^(https?:\/\/[^\s<>"']+)?$/, 'Enter an address like https://example.org.'),
    z.regex(singleLine, 'Enter an address like https://example.org.'),
  )

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name.includes('/') || name === 'UTC'
  } catch {
    return false
  }
}
