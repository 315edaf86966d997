import type { QueuedScan } from '../../../contract/door.ts'
import { scannedText } from '../../../contract/values/ticket-codes.ts'
import { agoOf, type Moment } from './clock.ts'
import { textHash } from './code-hash.ts'
import type { LocalChange } from './ticket-list.ts'

/** An action of this phone that the server has not answered yet. Phones store such entries, so the names must not change. */
export interface QueueEntry {
  /** Its place in the queue; given by the store. */
  order?: number
  eventId: number
  scanId: string
  act: QueuedScan['act']
  /** The registration it is about; 0 for somebody who was added here and has none yet. */
  ticketId: number
  /** The voucher's units that were redeemed or taken back; left out for a check-in. */
  purchase?: Purchase
  /** The money that was taken with it, or handed back; left out where there is none. */
  payment?: Payment
  /** Whether somebody who had been let in went out or came back with it, or that was taken back; left out for all else. */
  moved?: 'out' | 'back'
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

/** Money taken at the door, in the minor unit. */
export type Payment = Pick<Extract<QueuedScan['act'], { kind: 'pay' }>, 'way' | 'amount' | 'currency'>

/** What an entry about a check-in changes on the phone's list. */
export function localChangeOf({ act, payment, moved, made, by }: QueueEntry, device: string): LocalChange {
  const at = new Date(made.clock + made.ahead)
  const isUndo = act.kind === 'undo'
  if (moved) return { out: (moved === 'out') === isUndo ? undefined : at }
  if (isUndo)
    return payment
      ? { in: null, status: 'pending', due: { amount: payment.amount, currency: payment.currency } }
      : { in: null }
  const entry = { at, by, device }
  return payment ? { in: entry, status: 'confirmed', due: undefined } : { in: entry }
}

/** The entry in the form in which it is sent. */
export function toQueued({ scanId, act, wasShownIn, made }: QueueEntry, now: Moment): QueuedScan {
  return { scanId, act, wasShownIn, agoMs: agoOf(made, now) }
}

/** The entry with only a hash of the ticket's code, for a phone on which nobody is signed in any more. */
export function withoutCode(entry: QueueEntry): QueueEntry {
  const { act, ticketId } = entry
  if (act.kind !== 'code') return entry
  const { qrCodeData, direction } = act
  const codeHash = textHash(scannedText(qrCodeData, direction))
  return { ...entry, act: { kind: 'hand', registrationId: ticketId, codeHash, ...(direction && { direction }) } }
}
