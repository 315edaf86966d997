import type { QueuedScan } from '../../../contract/door.ts'
import { agoOf, type Moment } from './clock.ts'
import { textHash } from './code-hash.ts'

/** An action of this phone that the server has not answered yet. Phones store such entries, so the names must not change. */
export interface QueueEntry {
  /** Its place in the queue; given by the store. */
  order?: number
  eventId: number
  scanId: string
  act: QueuedScan['act']
  /** The registration it is about. */
  ticketId: number
  /** The voucher's units that were redeemed or taken back; left out for a check-in. */
  purchase?: Purchase
  /** Whether it was shown as valid here; false where it takes a scan back. */
  wasShownIn: boolean
  /** The name of the signed-in person. */
  by: string
  made: Moment
  /** Why the server did not accept it; such an entry is not sent again by itself. */
  problem?: string
}

/** Units of a voucher that were redeemed. */
export interface Purchase {
  id: number
  units: { name: string; count: number }[]
}

/** The entry in the form in which it is sent. */
export function toQueued({ scanId, act, wasShownIn, made }: QueueEntry, now: Moment): QueuedScan {
  return { scanId, act, wasShownIn, agoMs: agoOf(made, now) }
}

/** The entry with only a hash of the ticket's code, for a phone on which nobody is signed in any more. */
export function withoutCode(entry: QueueEntry): QueueEntry {
  const { act, ticketId } = entry
  if (act.kind !== 'code') return entry
  return { ...entry, act: { kind: 'hand', registrationId: ticketId, codeHash: textHash(act.qrCodeData) } }
}
