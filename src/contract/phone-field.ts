import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import type { Message } from '../texts/language.ts'

/** Whether the form of an event asks visitors for a phone number: they must answer, they may, or they are not asked. */
export const phoneField = z.enum(['required', 'optional', 'off'])
export type PhoneField = z.output<typeof phoneField>

/** What an event asks for that says nothing about it. */
export const defaultPhoneField: PhoneField = 'required'

/** The error in leaving the number empty; null when that is allowed. The field itself checks what is written in it. */
export function validatePhone(asked: PhoneField, phone: string): Message | null {
  return asked === 'required' && phone === '' ? fieldTexts.phoneNeeded : null
}

/** The number to store. One that nobody asked for is dropped, because clients from before this setting always send one. */
export function keptPhone(asked: PhoneField, phone: string): string {
  return asked === 'off' ? '' : phone
}

/** How to ask for a person's number: that of whoever registers a companion is enough. */
export function phoneFieldFor(asked: PhoneField, isCompanion: boolean): PhoneField {
  return isCompanion && asked === 'required' ? 'optional' : asked
}

/**
 * How to ask somebody who corrects a registration: a number stored before the club stopped asking can still be corrected or removed, and
 * whoever was registered without one, as by somebody else, need not add one.
 */
export function phoneFieldAfter(asked: PhoneField, stored: string): PhoneField {
  const isOptional = asked === 'off' ? stored !== '' : stored === ''
  return isOptional ? 'optional' : asked
}
