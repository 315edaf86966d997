import * as z from 'zod/mini'
import * as texts from '../../texts/generated/accountFields.ts'
import { languages } from '../../texts/generated/languages.ts'
import { singleLine } from './fields.ts'

// Fields of accounts and clubs. They are apart from `fields.ts` so that an event's page, which has none of them, does not load them.

/** ISO 4217 code in lower case. Whether cards can be charged in it is checked on saving (`contract/values/currencies.ts`). */
export const currency = z.string().check(z.regex(/^[a-z]{3}$/, { error: texts.currencyNeeded }))

/** A language that Turnout speaks, by its code (BCP 47). */
export const language = z.enum(languages, { error: texts.languageNeeded })

/** An IANA time zone that this platform knows. */
export const timeZone = z.string().check(z.refine(isTimeZone, { error: texts.timeZoneNeeded }))

/** A new password: at least 8 characters, at least one digit (the specification's messages). */
export const newPassword = z
  .string({ error: texts.passwordNeeded })
  .check(
    z.minLength(1, { error: texts.passwordNeeded }),
    z.minLength(8, { error: texts.passwordShort }),
    z.maxLength(256),
    z.regex(/\d/, { error: texts.passwordWithoutNumber }),
  )

/** A web address of http or https, or nothing. */
export const website = z
  .string()
  .check(
    z.trim(),
    z.maxLength(500),
    z.regex(/^(https?:\/\/[^\s<>"']+)?$/, { error: texts.addressLike }),
    z.regex(singleLine, { error: texts.addressLike }),
  )

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name.includes('/') || name === 'UTC'
  } catch {
    return false
  }
}
