import type { OtherTickets } from '../../../contract/door.ts'
import { MARK_BYTES, type QrContent } from '../../../contract/values/ticket-codes.ts'
import { elsewhereHash } from './code-hash.ts'

/** The club's other events, and marks of their tickets: see the contract's `OtherTickets`. */
export interface OtherEvents {
  events: OtherTickets['events']
  /** Sorted, each as a big-endian number of four bytes. */
  marks: Uint8Array
}

/** An answer of the server in the form in which the phone searches it. */
export function toOtherEvents({ events, marks }: OtherTickets): OtherEvents {
  return { events, marks: Uint8Array.from(atob(marks), (char) => char.charCodeAt(0)) }
}

/**
 * The other event that a code is a ticket of; null when there is none. A typed short code has too little of the secret to be recognized.
 * One in some hundred thousand unknown codes looks like a ticket of another event: it is refused either way.
 */
export function otherEventOf(content: QrContent, others: OtherEvents | null): OtherEvents['events'][number] | null {
  if (!others || content.kind !== 'ticket') return null
  const wanted = elsewhereHash(content)
  const marks = new DataView(others.marks.buffer, others.marks.byteOffset, others.marks.byteLength)
  const markAt = (n: number) => marks.getUint32(n * MARK_BYTES)
  let from = 0
  let to = Math.floor(marks.byteLength / MARK_BYTES)
  const end = to
  while (from < to) {
    const middle = (from + to) >>> 1
    if (markAt(middle) >>> 8 < wanted >>> 8) from = middle + 1
    else to = middle
  }
  for (let n = from; n < end && markAt(n) >>> 8 === wanted >>> 8; n++) {
    const event = others.events[(markAt(n) ^ wanted) & 0xff]
    if (event) return event
  }
  return null
}
