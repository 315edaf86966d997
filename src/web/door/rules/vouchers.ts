import type { DoorTicket, DoorVoucher } from '../../../contract/door.ts'
import { refusalForTicket } from '../../../contract/errors.ts'
import { type QrContent, readQr } from '../../../contract/values/ticket-codes.ts'
import { secretHash, startHash } from './code-hash.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { TicketList } from './ticket-list.ts'

/** Whose vouchers a code shows: of a voucher's code that one alone, of a ticket's all. Or why none, as the code of a refusal. */
export type Holder = { ticket: DoorTicket; vouchers: DoorVoucher[] } | { code: string; ticket: DoorTicket | null }

/** Finds by the phone's list alone whose vouchers a code shows. */
export function holderOf(text: string, list: TicketList): Holder {
  const content = readQr(text)
  if (!content) return { code: 'INVALID_QR', ticket: null }
  const own = content.kind === 'ticket' || content.kind === 'short' ? list.tickets.get(content.id) : undefined
  const isTicket = own !== undefined && opens(content, own)
  const ticket = isTicket ? own : holderOfVoucher(content, list)
  if (!ticket) return { code: 'NOT_FOUND', ticket: null }
  if (list.event.status === 'cancelled') return { code: 'EVENT_CANCELLED', ticket }
  return vouchersOf(ticket, isTicket ? null : content.id)
}

/** Whose voucher a code is, by its secret; null when it is none of the list. */
export function holderOfVoucher(content: QrContent, list: TicketList): DoorTicket | null {
  if (content.kind === 'short') return null
  for (const ticket of list.tickets.values())
    if (ticket.vouchers.some((voucher) => voucher.id === content.id && opens(content, voucher))) return ticket
  return null
}

/** Whether the code has the secret of the ticket or voucher with its id. */
export function opens(content: QrContent, { hash, short }: Pick<DoorVoucher, 'hash' | 'short'>): boolean {
  return 'qrStart' in content ? startHash(content) === short : secretHash(content) === hash
}

/** The vouchers of a ticket, or one of them; or why they are not to be redeemed. */
export function vouchersOf(ticket: DoorTicket, onlyId: number | null): Holder {
  const invalid = refusalForTicket(ticket.status)
  if (invalid) return { code: invalid, ticket }
  const vouchers = ticket.vouchers.filter(({ id }) => onlyId === null || id === onlyId)
  return vouchers.length === 0 ? { code: 'NO_VOUCHER', ticket } : { ticket, vouchers }
}

/** What was redeemed here of each voucher and thing, and not yet answered; what was taken back counts below nothing. */
function pendingOf(queue: readonly QueueEntry[]): Map<string, number> {
  const pending = new Map<string, number>()
  for (const { purchase, act, problem } of queue) {
    if (!purchase || problem !== undefined) continue
    for (const { name, count } of purchase.units) {
      const key = `${purchase.id} ${name}`
      pending.set(key, (pending.get(key) ?? 0) + (act.kind === 'undo' ? -count : count))
    }
  }
  return pending
}

function leftOf({ id, units }: DoorVoucher, pending: ReadonlyMap<string, number>) {
  return units.map(({ name, quantity, redeemed }) => {
    const left = quantity - redeemed - (pending.get(`${id} ${name}`) ?? 0)
    return { name, quantity, left: Math.min(quantity, Math.max(0, left)) }
  })
}

/** What is left of a voucher: as the server said, less what was redeemed here since and not yet answered. */
export function unitsLeft(voucher: DoorVoucher, queue: readonly QueueEntry[]) {
  return leftOf(voucher, pendingOf(queue))
}

/** How much of all vouchers has been redeemed, and how much there is. */
export function countUnits(list: TicketList, queue: readonly QueueEntry[]): { used: number; total: number } {
  const pending = pendingOf(queue)
  let used = 0
  let total = 0
  for (const { status, vouchers } of list.tickets.values()) {
    if (status !== 'confirmed') continue
    for (const voucher of vouchers)
      for (const { quantity, left } of leftOf(voucher, pending)) {
        total += quantity
        used += quantity - left
      }
  }
  return { used, total }
}
