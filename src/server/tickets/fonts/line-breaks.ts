const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Scripts that are written without spaces, with their punctuation. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u3000-\u303f\uff00-\uffef]/u
/** What belongs to the word before it, also in scripts without spaces. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}\p{M}]/u
/** What belongs to the word after it. */
const opening = /[\p{Ps}\p{Pi}]$/u

/**
 * The parts of a text between which a line may break: after spaces, after a hyphen or a slash before a letter, and between the words of a
 * script without spaces. A mark stays with its word, and a time such as `12:00` is whole.
 */
export function breakable(text: string): string[] {
  const parts: string[] = []
  for (const { segment } of words.segment(text)) {
    const last = parts.at(-1)
    if (last === undefined || mayBreak(last, segment)) parts.push(segment)
    else parts[parts.length - 1] = last + segment
  }
  return parts
}

function mayBreak(before: string, after: string): boolean {
  if (after.startsWith(' ')) return false
  if (before.endsWith(' ')) return true
  if (/\p{L}[-‐–—/]$/u.test(before) && /^\p{L}/u.test(after)) return true
  const isBetweenWords = spaceless.test(before.slice(-1)) || spaceless.test(after.charAt(0))
  return isBetweenWords && !closing.test(after) && !opening.test(before)
}
