import { readQr } from '../../../contract/values/ticket-codes.ts'

/** The possible beginnings of our codes. Matched from the left, so that the longest code is found. */
const BEGINNINGS = /https?:\/\/|\{|v#?\d|#?\d/giu

/** Finds the code at the end of a text, and the text before it; null without a code. A keyboard scanner types after what is in the field. */
export function codeAtEnd(text: string): { before: string; code: string } | null {
  const trimmed = text.trim()
  for (const { 0: beginning, index } of trimmed.matchAll(BEGINNINGS)) {
    // A "v" at the end of a word does not begin a code. (Safari before 16.4 has no look-behind in regular expressions.)
    const endsWord = /^v/i.test(beginning) && /\p{L}$/u.test(trimmed.slice(0, index))
    const start = endsWord ? index + 1 : index
    const code = trimmed.slice(start)
    if (readQr(code) !== null) return { before: trimmed.slice(0, start).trim(), code }
  }
  return null
}
