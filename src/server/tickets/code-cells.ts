import { encode, type QrCodeGenerateResult } from 'uqr'

/** A mail shows each code twice, in its PDF and as a picture; those of a round of mails are drawn in turns. */
const MOST_KEPT = 64
const kept = new Map<string, QrCodeGenerateResult>()

/** The QR code of a text as rows of squares, true for dark, with its quiet zone. */
export function codeCells(text: string): QrCodeGenerateResult {
  const known = kept.get(text)
  if (known) return known
  const cells = encode(text, { ecc: 'M', border: 4 })
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(text, cells)
  return cells
}
