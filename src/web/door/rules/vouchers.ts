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
  const own = content.kind === 'ticket' || content.kind === 'short' ? ticketWithCode(content, list) : null
  const held = own ? null : voucherWithCode(content, list)
  const ticket = own ?? held?.ticket
  if (!ticket) return { code: 'NOT_FOUND', ticket: null }
  if (list.event.status === 'cancelled') return { code: 'EVENT_CANCELLED', ticket }
  return vouchersOf(ticket, held?.voucherId ?? null)
}

/** The ticket with this code, as the server last answered it; null when there is none. */
export function ticketWithCode(content: QrContent, list: TicketList): DoorTicket | null {
  const own = list.tickets.get(content.id)
  if (own && hasSecretOf(content, own)) return own
  for (const ticket of list.tickets.values()) if (hasFormerCode(content, ticket)) return ticket
  return null
}

/** The voucher with this code, and its ticket; null when there is none. */
export function voucherWithCode(
  content: QrContent,
  list: TicketList,
): { ticket: DoorTicket; voucherId: number } | null {
  if (content.kind === 'short') return null
  for (const ticket of list.tickets.values())
    for (const voucher of ticket.vouchers)
      if ((voucher.id === content.id && hasSecretOf(content, voucher)) || hasFormerCode(content, voucher))
        return { ticket, voucherId: voucher.id }
  return null
}

/** Whether the code holds the secret of this ticket or voucher. */
function hasSecretOf(content: QrContent, { hash, short }: Pick<DoorVoucher, 'hash' | 'short'>): boolean {
  return 'qrStart' in content ? startHash(content) === short : secretHash(content) === hash
}

/** Whether the code was printed for it by a server that the club has moved from. */
function hasFormerCode(content: QrContent, { former = [] }: Pick<DoorVoucher, 'former'>): boolean {
  return former.some((code) => code.id === content.id && hasSecretOf(content, code))
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
