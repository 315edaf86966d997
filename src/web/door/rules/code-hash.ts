import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import {
  HASH_BYTES,
  hashedElsewhere,
  hashedSecret,
  hashedStart,
  MARK_BYTES,
  SHORT_HASH_DIGITS,
} from '../../../contract/values/ticket-codes.ts'

// Not the browser's own SHA-256: it is asynchronous, and missing on pages without TLS.

/** The hash of a ticket's secret as in the door's list. */
export function secretHash(ticket: { id: number; qrUuid: string }): string {
  const bytes = sha256(utf8ToBytes(hashedSecret(ticket))).subarray(0, HASH_BYTES)
  return btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
}

/** The hash of a short code as in the door's list. */
export function startHash(code: { id: number; qrStart: string }): string {
  return textHash(hashedStart(code)).slice(0, SHORT_HASH_DIGITS)
}

/** The first four bytes of the hash by which tickets of other events are marked. */
export function elsewhereHash(ticket: { id: number; qrUuid: string }): number {
  return Number.parseInt(textHash(hashedElsewhere(ticket)).slice(0, 2 * MARK_BYTES), 16)
}

/** SHA-256 of a text in hex. */
export function textHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
