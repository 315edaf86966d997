import type { ScanAnswer } from '../../../contract/door.ts'
import { type Door, serverNow } from './door.ts'
import { isPast } from './purge.ts'
import { writeList } from './store.ts'

/** Writes the list down, unless the event is long over. What could not be written is written with the next. Answers whether it is. */
export async function persistList(door: Door, changed: readonly number[]): Promise<boolean> {
  if (!door.list) return false
  if (isPast(door.list.event.endsAt, serverNow(door).getTime())) return true
  const wanted = [...door.unwritten, ...changed]
  for (const id of changed) door.unwritten.add(id)
  try {
    await writeList(door.list, wanted, door.ahead)
    for (const id of wanted) door.unwritten.delete(id)
    door.canKeep = true
  } catch {
    door.canKeep = false
  }
  return door.canKeep
}

/** Notes a check-in of the server in the list that is here. */
export function noteIn(door: Door, ticketId: number, checkin: NonNullable<ScanAnswer['checkin']>): void {
  const ticket = door.list?.tickets.get(ticketId)
  const { checkinTime, checkedInBy, device, status } = checkin
  if (!ticket) return
  const first = status && checkinTime ? { at: checkinTime, by: checkedInBy ?? '', device } : null
  door.answered.set(ticketId, performance.now())
  door.list?.tickets.set(ticketId, { ...ticket, in: first })
}

/** Notes that somebody is not in any more. */
export function noteOut(door: Door, ticketId: number): void {
  const ticket = door.list?.tickets.get(ticketId)
  if (!ticket) return
  door.answered.set(ticketId, performance.now())
  door.list?.tickets.set(ticketId, { ...ticket, in: null })
}

/** Notes a voucher in the list that is here, as the server has it. */
export function noteVoucher(door: Door, ticketId: number, purchase: ScanAnswer['extrasPurchase']): void {
  const ticket = door.list?.tickets.get(ticketId)
  if (!ticket || !purchase) return
  const vouchers = ticket.vouchers.map((voucher) =>
    voucher.id === purchase.id ? { ...voucher, units: purchase.content } : voucher,
  )
  door.answered.set(ticketId, performance.now())
  door.list?.tickets.set(ticketId, { ...ticket, vouchers })
}
