import { LONGEST_AGO_MS, type QueuedScan } from '../../../contract/door.ts'
import { textHash } from './code-hash.ts'

/** Something this phone did that the server has not answered yet. */
export interface QueueEntry {
  /** Its place; given by the store. */
  order?: number
  eventId: number
  scanId: string
  act: QueuedScan['act']
  /** The registration it is about. */
  ticketId: number
  /** The voucher and what of it was redeemed, or taken back; left out where it is about the door. */
  purchase?: Purchase
  /** Whether it let somebody in (or gave something out) here; else it took that back. */
  wasShownIn: boolean
  /** Who was signed in. */
  by: string
  made: Moment
  /** Why the server would not take it; such an entry is not sent again. */
  problem?: string
}

/** What was redeemed of a voucher. */
export interface Purchase {
  id: number
  units: { name: string; count: number }[]
}

/** When something happened, by all that the phone knows of time. */
export interface Moment {
  /** The phone's clock, in ms. */
  clock: number
  /** Milliseconds since the page was opened, by a clock that nobody can set. */
  running: number
  /** Tells one opening of the page from another. */
  page: string
  /** How far the server's clock was ahead of the phone's, in ms, as last heard. */
  ahead: number
}

/** A clock that was set between two moments moves against the server's by more than answers take. */
export const CLOCK_WAS_SET_MS = 30_000

/**
 * How long ago a moment was. By the phone's clock, however wrong: what is wrong in both moments cancels out. Unless that clock was
 * set in between; then by the one that cannot be set, as long as the page is still the same.
 */
export function agoOf(made: Moment, now: Moment): number {
  const wasSet = Math.abs(made.ahead - now.ahead) > CLOCK_WAS_SET_MS
  const byClock = now.clock - made.clock
  const byServer = byClock + now.ahead - made.ahead
  const ago = !wasSet ? byClock : made.page === now.page ? now.running - made.running : byServer
  return Math.min(LONGEST_AGO_MS, Math.max(0, Math.round(ago)))
}

/** Whether the server could not be told any more when that was. */
export function isTooOld(made: Moment, now: Moment): boolean {
  return agoOf(made, now) >= LONGEST_AGO_MS
}

/** The entry as it is sent. */
export function toQueued({ scanId, act, wasShownIn, made }: QueueEntry, now: Moment): QueuedScan {
  return { scanId, act, wasShownIn, agoMs: agoOf(made, now) }
}

/** The entry without the ticket's code, for a phone on which nobody is signed in any more. */
export function withoutCode(entry: QueueEntry): QueueEntry {
  const { act, ticketId } = entry
  if (act.kind !== 'code') return entry
  return { ...entry, act: { kind: 'hand', registrationId: ticketId, codeHash: textHash(act.qrCodeData) } }
}
