import * as z from 'zod/mini'
import { Refusal } from '../contract/errors.ts'
import { idText } from '../contract/values/fields.ts'

/** Reads an id in the page's address. Text that is not an id leads to not-found, like an id that does not exist. */
export function readId(text: string | null | undefined): number {
  const result = z.safeDecode(idText, text ?? '')
  if (result.success) return result.data
  throw new Refusal('NOT_FOUND')
}
