/**
 * The content of a code: a ticket or a voucher by id and secret, or either by its short code. An address without `type=voucher` and the
 * JSON text are read as `ticket`, but the secret decides: a code that matches no ticket is looked up among the vouchers.
 */
export type QrContent =
  | { kind: 'ticket' | 'voucher'; id: number; qrUuid: string }
  | { kind: 'short' | 'short voucher'; id: number; qrStart: string }

/** The address in a ticket's QR code; a phone's own camera opens the ticket page with it. */
export function ticketUrl(baseUrl: string, { id, qrUuid }: { id: number; qrUuid: string }): string {
  return `${baseUrl}/qr/${id}/${qrUuid}`
}

/** The address in a voucher's QR code. */
export function voucherUrl(baseUrl: string, voucher: { id: number; qrUuid: string }): string {
  return `${ticketUrl(baseUrl, voucher)}?type=voucher`
}

/** The code for typing at the door: the id and the first eight digits of the secret, such as `42-9F3A1C7B`. */
export function shortCode({ id, qrUuid }: { id: number; qrUuid: string }): string {
  return `${id}-${qrUuid.slice(0, 8).toUpperCase()}`
}

/** The same for a voucher, with a V in front, such as `V42-9F3A1C7B`. */
export function voucherCode(voucher: { id: number; qrUuid: string }): string {
  return `V${shortCode(voucher)}`
}

/**
 * The text that is hashed so that a phone can check a ticket without having its secret: the phone stores the first `HASH_BYTES` bytes of
 * its SHA-256, in base64 without padding.
 */
export function hashedSecret({ id, qrUuid }: { id: number; qrUuid: string }): string {
  return `${id} ${qrUuid}`
}
export const HASH_BYTES = 16

/**
 * The same for a typed short code. A phone stores `SHORT_HASH_DIGITS` hexadecimal digits of the SHA-256: enough to reject a made-up code
 * except for one in 65,536, too few to recover the short codes from a phone's list.
 */
export function hashedStart({ id, qrStart }: { id: number; qrStart: string }): string {
  return `${id}-${qrStart}`
}
export const SHORT_HASH_DIGITS = 4

/**
 * The text that is hashed so that a phone recognizes a ticket of another event of the club: of its SHA-256, the phone has the first three
 * bytes, and the fourth combined with the number of the event. Not the text above, so that the two cannot be matched with each other.
 */
export function hashedElsewhere({ id, qrUuid }: { id: number; qrUuid: string }): string {
  return `${id}/${qrUuid}`
}
export const MARK_BYTES = 4

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** Ids are the database's 32 bit integers. */
const LARGEST_ID = 2_147_483_647
const idPattern = /^[1-9]\d{0,9}$/

/** Reads what a scanner saw or a person typed; null when it is not one of our codes. The host is ignored: it may have moved. */
export function readQr(text: string): QrContent | null {
  const trimmed = text.trim()
  const short = /^(v?)#?0*([1-9]\d{0,9})\s*-\s*([0-9a-f]{8})$/i.exec(trimmed)
  if (short?.[2] && short[3] && Number(short[2]) <= LARGEST_ID)
    return { kind: short[1] ? 'short voucher' : 'short', id: Number(short[2]), qrStart: short[3].toLowerCase() }
  return trimmed.startsWith('{') ? readJson(trimmed) : readUrl(trimmed)
}

function readUrl(text: string): QrContent | null {
  const match = /^https?:\/\/[^/]+(?:\/.*)?\/qr\/(\d+)\/([0-9a-fA-F-]{36})\/?(?:\?([^#]*))?$/.exec(text)
  if (!match?.[1] || !match[2]) return null
  const isVoucher = (match[3] ?? '').split('&').includes('type=voucher')
  return content(isVoucher ? 'voucher' : 'ticket', match[1], match[2])
}

function readJson(text: string): QrContent | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('id' in value) || !('qrUuid' in value)) return null
    return content('ticket', String(value.id), String(value.qrUuid))
  } catch {
    return null
  }
}

function content(kind: 'ticket' | 'voucher', id: string, qrUuid: string): QrContent | null {
  const secret = qrUuid.toLowerCase()
  return idPattern.test(id) && Number(id) <= LARGEST_ID && uuid.test(secret)
    ? { kind, id: Number(id), qrUuid: secret }
    : null
}

/** What is hashed of a scanned code to know the scan again: going out is another scan than coming in. */
export function scannedText(code: string, direction: 'in' | 'out' = 'in'): string {
  return direction === 'out' ? `${code}>` : code
}
