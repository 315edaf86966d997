import { expect, test } from 'vitest'
import type { DoorTicket } from '../../../contract/door.ts'
import { voucherCode, voucherUrl } from '../../../contract/values/ticket-codes.ts'
import { secretHash, startHash } from './code-hash.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { TicketList } from './ticket-list.ts'
import { countUnits, findVouchers, unitsLeft } from './vouchers.ts'

const BASE = 'https://club.example'
const secret = { id: 7, qrUuid: '1b4e28ba-2fa1-4d2b-8a2b-b26d4d1f0c33' }
const ticketSecret = { id: 3, qrUuid: '9b4e28ba-2fa1-4d2b-8a2b-b26d4d1f0c33' }
const codes = ({ id, qrUuid }: typeof secret) => ({
  hash: secretHash({ id, qrUuid }),
  short: startHash({ id, qrStart: qrUuid.slice(0, 8) }),
})
const voucher = { id: 7, name: 'Drinks', ...codes(secret), units: [{ name: 'Drink', quantity: 3, redeemed: 1 }] }
const ticket: DoorTicket = {
  id: 3,
  name: 'Ada',
  status: 'confirmed',
  ...codes(ticketSecret),
  in: null,
  answers: [],
  vouchers: [voucher],
}
const listOf = (change: Partial<DoorTicket> = {}): TicketList => ({
  cursor: '1.a',
  event: {
    id: 1,
    name: 'Party',
    location: '',
    startsAt: new Date(0),
    endsAt: new Date(1),
    timeZone: 'Europe/Berlin',
    status: 'published',
  },
  questions: [],
  conflicts: 0,
  tickets: new Map([[3, { ...ticket, ...change }]]),
  readAt: new Date(0),
})
const entry = (kind: 'redeem' | 'undo', count: number): QueueEntry => ({
  eventId: 1,
  scanId: crypto.randomUUID(),
  act:
    kind === 'undo'
      ? { kind, scanId: crypto.randomUUID() }
      : { kind, extrasPurchaseId: 7, units: [{ name: 'Drink', count }] },
  ticketId: 3,
  purchase: { id: 7, units: [{ name: 'Drink', count }] },
  wasShownIn: kind === 'redeem',
  by: 'Ana',
  made: { clock: 0, running: 0, page: 'a', ahead: 0 },
})

test('a voucher is found by its code, typed or read, and all of a ticket’s by the ticket’s', () => {
  for (const text of [
    voucherUrl(BASE, secret),
    `${BASE}/qr/7/${secret.qrUuid}`,
    JSON.stringify(secret),
    voucherCode(secret),
    voucherCode(secret).toLowerCase(),
    `${BASE}/qr/3/${ticketSecret.qrUuid}`,
  ])
    expect(findVouchers(text, listOf())).toMatchObject({ ticket: { id: 3 }, vouchers: [{ id: 7 }] })
})

test('a code without the secret, of somebody else, or of a ticket that is not valid is refused with its reason', () => {
  expect(findVouchers('nonsense', listOf())).toMatchObject({ code: 'INVALID_QR' })
  expect(findVouchers(voucherUrl(BASE, { ...secret, qrUuid: ticketSecret.qrUuid }), listOf())).toMatchObject({
    code: 'NOT_FOUND',
  })
  expect(findVouchers(voucherUrl(BASE, secret), listOf({ status: 'cancelled' }))).toMatchObject({
    code: 'TICKET_CANCELLED',
  })
  expect(findVouchers(`${BASE}/qr/3/${ticketSecret.qrUuid}`, listOf({ vouchers: [] }))).toMatchObject({
    code: 'NO_VOUCHER',
  })
})

test('unanswered redemptions of this phone count, those taken back do not', () => {
  const left = (...queue: QueueEntry[]) => unitsLeft(voucher, queue)[0]?.left
  expect(left()).toBe(2)
  expect(left(entry('redeem', 1))).toBe(1)
  expect(left(entry('redeem', 2))).toBe(0)
  expect(left(entry('redeem', 2), entry('undo', 2))).toBe(2)
  expect(left({ ...entry('redeem', 2), problem: 'refused' })).toBe(2)
  expect(countUnits(listOf(), [entry('redeem', 1)])).toEqual({ used: 2, total: 3 })
})
