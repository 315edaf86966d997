import type { ScanAnswer } from '../../../contract/door.ts'
import type { Payment } from '../rules/queue-entry.ts'
import { type Door, serverNow, setCanPersist, updateAnsweredTicket } from './door.ts'
import { isExpired } from './purge.ts'
import { writeList } from './store.ts'

/**
 * Writes the list to the disk, unless the event has long been over. Tickets that could not be written are written with the next
 * ones. Returns whether nothing is left to write.
 */
export async function persistList(door: Door, changed: readonly number[]): Promise<boolean> {
  if (!door.list) return false
  if (isExpired(door.list.event.endsAt, serverNow(door).getTime())) return true
  const wanted = [...door.unpersisted, ...changed]
  for (const id of changed) door.unpersisted.add(id)
  try {
    await writeList(door.list, wanted, door.clockOffset)
    for (const id of wanted) door.unpersisted.delete(id)
    setCanPersist(door, true)
  } catch {
    setCanPersist(door, false)
  }
  return door.canPersist
}

/** Sets a ticket's check-in from the server's answer. */
export function setCheckin(door: Door, ticketId: number, checkin: NonNullable<ScanAnswer['checkin']>): void {
  const { checkinTime, checkedInBy, device, status, isOut, movedAt } = checkin
  const first = status && checkinTime ? { at: checkinTime, by: checkedInBy ?? '', device } : null
  updateAnsweredTicket(door, ticketId, { in: first, out: isOut && movedAt ? movedAt : undefined })
}

/** Removes a ticket's check-in: the server has taken it back. */
export function clearCheckin(door: Door, ticketId: number): void {
  updateAnsweredTicket(door, ticketId, { in: null, out: undefined })
}

/** Notes that a ticket is paid: the server has recorded its payment at the door. */
export function setPaid(door: Door, ticketId: number): void {
  updateAnsweredTicket(door, ticketId, { status: 'confirmed', due: undefined })
}

/** Notes that a ticket is to be paid again: the server has taken its payment back. */
export function setUnpaid(door: Door, ticketId: number, { amount, currency }: Payment): void {
  updateAnsweredTicket(door, ticketId, { status: 'pending', due: { amount, currency } })
}

/** Sets a voucher's redeemed units from the server's answer. */
export function setVoucher(door: Door, ticketId: number, purchase: ScanAnswer['extrasPurchase']): void {
  const ticket = door.list?.tickets.get(ticketId)
  if (!ticket || !purchase) return
  const vouchers = ticket.vouchers.map((voucher) =>
    voucher.id === purchase.id ? { ...voucher, units: purchase.content } : voucher,
  )
  updateAnsweredTicket(door, ticketId, { vouchers })
}
