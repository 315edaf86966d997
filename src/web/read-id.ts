import * as z from 'zod/mini'
import { Refusal } from '../contract/errors.ts'
import { idText } from '../contract/values/fields.ts'

/** An id of the page's address; what is none leads to not-found like one that does not exist. */
export function readId(text: string | null | undefined): number {
  const result = z.safeDecode(idText, text ?? '')
  if (result.success) return result.data
  throw new Refusal('NOT_FOUND')
}
