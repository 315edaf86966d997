import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'

/** The id that a phone gives to a scan, so that it counts once however often it is sent. A UUID; capital letters are read as small ones. */
export const scanId = z.uuid({ error: fieldTexts.uuidExpected }).check(z.toLowerCase())
