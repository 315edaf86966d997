import { readQr } from '../../contract/tickets.ts'

/** What one of our codes may begin with; tried from the left, so that the longest counts. */
const BEGINNINGS = /https?:\/\/|\{|(?<!\p{L})v#?\d|#?\d/giu

/**
 * The code that a text ends with, and what stands before it; null when there is none. A scanner that speaks as a keyboard writes its
 * code behind whatever the field holds.
 */
export function codeAtEnd(text: string): { before: string; code: string } | null {
  const trimmed = text.trim()
  for (const { index } of trimmed.matchAll(BEGINNINGS)) {
    const code = trimmed.slice(index)
    if (readQr(code) !== null) return { before: trimmed.slice(0, index).trim(), code }
  }
  return null
}
