import type { DoorTicket, DoorVoucher } from '../../../contract/door.ts'
import { refusalForTicket } from '../../../contract/errors.ts'
import { type QrContent, readQr } from '../../../contract/values/ticket-codes.ts'
import { secretHash, startHash } from './code-hash.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { TicketList } from './ticket-list.ts'

/** The vouchers to redeem, or why there are none, as the code of a refusal. */
export type FoundVouchers =
  | {
      ticket: DoorTicket
      vouchers: DoorVoucher[]
      /** The voucher whose own code was read; null for all of the ticket's. */
      voucherId: number | null
    }
  | { code: string; ticket: DoorTicket | null }

/** Finds a code's vouchers by the phone's list alone: a voucher's code stands for that voucher, a ticket's for all of its vouchers. */
export function findVouchers(text: string, list: TicketList): FoundVouchers {
  const content = readQr(text)
  if (!content) return { code: 'INVALID_QR', ticket: null }
  const own = content.kind === 'ticket' || content.kind === 'short' ? list.tickets.get(content.id) : undefined
  const isTicket = own !== undefined && hasSecretOf(content, own)
  const ticket = isTicket ? own : holderOfVoucher(content, list)
  if (!ticket) return { code: 'NOT_FOUND', ticket: null }
  if (list.event.status === 'cancelled') return { code: 'EVENT_CANCELLED', ticket }
  return vouchersOf(ticket, isTicket ? null : content.id)
}

/** The ticket whose voucher has this code, by the secret; null when there is none. */
export function holderOfVoucher(content: QrContent, list: TicketList): DoorTicket | null {
  if (content.kind === 'short') return null
  for (const ticket of list.tickets.values())
    if (ticket.vouchers.some((voucher) => voucher.id === content.id && hasSecretOf(content, voucher))) return ticket
  return null
}

/** Whether the code holds the secret of this ticket or voucher. */
export function hasSecretOf(content: QrContent, { hash, short }: Pick<DoorVoucher, 'hash' | 'short'>): boolean {
  return 'qrStart' in content ? startHash(content) === short : secretHash(content) === hash
}

/** The vouchers of a ticket, or one of them. */
export function vouchersOf(ticket: DoorTicket, voucherId: number | null): FoundVouchers {
  const invalid = refusalForTicket(ticket.status)
  if (invalid) return { code: invalid, ticket }
  const vouchers = ticket.vouchers.filter(({ id }) => voucherId === null || id === voucherId)
  return vouchers.length === 0 ? { code: 'NO_VOUCHER', ticket } : { ticket, vouchers, voucherId }
}

/** The units of each kind redeemed here and not answered yet; units taken back count as negative. */
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

/** The units left of a voucher: by the server's last answer, minus those redeemed here since. */
export function unitsLeft(voucher: DoorVoucher, queue: readonly QueueEntry[]) {
  return leftOf(voucher, pendingOf(queue))
}

/** How many units of all vouchers are redeemed, and how many there are. */
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
