import type { DoorTicket, DoorVoucher } from '../../contract/door.ts'
import { readQr } from '../../contract/tickets.ts'
import { secretHash, startHash } from './code-hash.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { TicketList } from './ticket-list.ts'

/** Whose vouchers a code shows: of a voucher's code that one alone, of a ticket's all. Or why none, as the code of a refusal. */
export type Holder = { ticket: DoorTicket; vouchers: DoorVoucher[] } | { code: string; ticket: DoorTicket | null }

/** Finds by the phone's list alone whose vouchers a code shows. */
export function holderOf(text: string, list: TicketList): Holder {
  const content = readQr(text)
  if (!content) return { code: 'INVALID_QR', ticket: null }
  const isVoucher = content.kind === 'voucher' || content.kind === 'short voucher'
  const ticket = isVoucher ? ticketWith(list, content.id) : (list.tickets.get(content.id) ?? null)
  const coded = isVoucher ? ticket?.vouchers.find(({ id }) => id === content.id) : ticket
  const isRight =
    coded && ('qrStart' in content ? startHash(content) === coded.short : secretHash(content) === coded.hash)
  if (!ticket || !coded || !isRight) return { code: 'NOT_FOUND', ticket: null }
  return vouchersOf(ticket, isVoucher ? content.id : null)
}

/** The vouchers of a ticket, or one of them; or why they are not to be redeemed. */
export function vouchersOf(ticket: DoorTicket, onlyId: number | null): Holder {
  if (ticket.status !== 'confirmed')
    return { code: ticket.status === 'pending' ? 'TICKET_UNPAID' : 'TICKET_CANCELLED', ticket }
  const vouchers = ticket.vouchers.filter(({ id }) => onlyId === null || id === onlyId)
  return vouchers.length === 0 ? { code: 'NO_VOUCHER', ticket } : { ticket, vouchers }
}

function ticketWith(list: TicketList, voucherId: number): DoorTicket | null {
  for (const ticket of list.tickets.values()) if (ticket.vouchers.some(({ id }) => id === voucherId)) return ticket
  return null
}

/** What is left of a voucher: as the server said, less what was redeemed here since and not yet answered. */
export function unitsLeft({ id, units }: DoorVoucher, queue: readonly QueueEntry[]) {
  return units.map(({ name, quantity, redeemed }) => {
    const here = queue.reduce((sum, { purchase, act, problem }) => {
      if (purchase?.id !== id || problem !== undefined) return sum
      const count = purchase.units.reduce((total, unit) => total + (unit.name === name ? unit.count : 0), 0)
      return act.kind === 'undo' ? sum - count : sum + count
    }, 0)
    return { name, quantity, left: Math.max(0, quantity - redeemed - here) }
  })
}

/** How much of all vouchers has been redeemed, and how much there is. */
export function countUnits(list: TicketList, queue: readonly QueueEntry[]): { used: number; total: number } {
  let used = 0
  let total = 0
  const touched = new Set(queue.flatMap(({ purchase }) => purchase?.id ?? []))
  for (const { status, vouchers } of list.tickets.values()) {
    if (status !== 'confirmed') continue
    for (const voucher of vouchers) {
      const units = touched.has(voucher.id)
        ? unitsLeft(voucher, queue).map(({ quantity, left }) => ({ quantity, redeemed: quantity - left }))
        : voucher.units
      for (const { quantity, redeemed } of units) {
        total += quantity
        used += redeemed
      }
    }
  }
  return { used, total }
}
