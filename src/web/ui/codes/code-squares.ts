import { encodeQR } from 'qr'

/** The QR code of a text as rows of squares, true for dark, with its quiet zone. */
export function codeSquares(text: string): boolean[][] {
  return encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
}
