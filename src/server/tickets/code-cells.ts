import { encode, type QrCodeGenerateResult } from 'uqr'

/** A mail shows each code twice, in its PDF and as a picture. Enough for the mails of a round, or for one with a hundred vouchers. */
const MOST_KEPT = 256
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
