import { readQr } from '../../../contract/values/ticket-codes.ts'

/** What one of our codes may begin with; tried from the left, so that the longest counts. */
const BEGINNINGS = /https?:\/\/|\{|v#?\d|#?\d/giu

/**
 * The code that a text ends with, and what stands before it; null when there is none. A scanner that speaks as a keyboard writes its
 * code behind whatever the field holds.
 */
export function codeAtEnd(text: string): { before: string; code: string } | null {
  const trimmed = text.trim()
  for (const { 0: beginning, index } of trimmed.matchAll(BEGINNINGS)) {
    // A v that ends a word begins no code. (A regular expression that looks behind is an error in Safari before 16.4.)
    const endsWord = /^v/i.test(beginning) && /\p{L}$/u.test(trimmed.slice(0, index))
    const start = endsWord ? index + 1 : index
    const code = trimmed.slice(start)
    if (readQr(code) !== null) return { before: trimmed.slice(0, start).trim(), code }
  }
  return null
}
