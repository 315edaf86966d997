import { encodeQR } from 'qr'
import { remember } from './remember.ts'

/**
 * The QR code of a text as rows of squares, true for dark, with its quiet zone. A mail shows each code twice, in its PDF and as a picture:
 * enough are kept for the mails of a round, or for one with a hundred vouchers.
 */
export const codeCells = remember(256, (text: string) => encodeQR(text, 'raw', { ecc: 'medium', border: 4 }))
