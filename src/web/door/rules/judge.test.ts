import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { DoorTicket } from '../../../contract/door.ts'
import { shortCode, ticketUrl } from '../../../contract/values/ticket-codes.ts'
import { secretHash, startHash } from './code-hash.ts'
import { judge } from './judge.ts'
import { localChangeOf } from './queue-entry.ts'
import type { LocalCheckins, TicketList } from './ticket-list.ts'

afterEach(() => vi.useRealTimers())

const SECRET = '9f3a1c7b-1b2c-4d3e-8f4a-5b6c7d8e9f0a'
const OTHER = '9f3a1c7c-1b2c-4d3e-8f4a-5b6c7d8e9f0a'
const at = new Date('2026-11-27T18:42:00Z')

function ticket(id: number, fields: Partial<DoorTicket> = {}): DoorTicket {
  const hash = secretHash({ id, qrUuid: SECRET })
  const short = startHash({ id, qrStart: SECRET.slice(0, 8) })
  return { id, name: `Guest ${id}`, status: 'confirmed', hash, short, in: null, answers: [], vouchers: [], ...fields }
}

function listOf(tickets: DoorTicket[]): TicketList {
  const event = {
    ...{ id: 1, name: 'Party', location: '', timeZone: 'Europe/Berlin', status: 'published' as const },
    ...{ startsAt: new Date('2026-11-27T18:00:00Z'), endsAt: new Date('2026-11-27T22:00:00Z') },
  }
  const questions = [
    { id: 7, text: 'Allergies' },
    { id: 8, text: 'Meal' },
  ]
  const all = new Map(tickets.map((each) => [each.id, each]))
  return { cursor: '', event, questions, conflicts: 0, tickets: all, readAt: at }
}

const url = (id: number, qrUuid = SECRET) => ticketUrl('https://club.example', { id, qrUuid })
const kindOf = (text: string, list: TicketList | null, local: LocalCheckins = new Map()) => {
  const judgement = judge(text, list, local)
  return judgement && [judgement.verdict.kind, judgement.verdict.code, judgement.patienceMs]
}

test('whoever is inside goes out, and whoever has gone out comes back, where the event allows it', () => {
  const inside = { in: { at, by: 'Ana', device: null } }
  const list = listOf([ticket(1, inside), ticket(2, { ...inside, out: at }), ticket(3)])
  const open: TicketList = { ...list, event: { ...list.event, allowsReentry: true } }
  const wordOf = (id: number, direction: 'in' | 'out', local: LocalCheckins = new Map()) =>
    judge(url(id), open, local, null, direction)?.verdict.word
  expect([1, 2, 3].map((id) => wordOf(id, 'out'))).toEqual(['Out', 'Not inside', 'Not inside'])
  expect([1, 2, 3].map((id) => wordOf(id, 'in'))).toEqual(['Already in', 'Back in', 'Valid'])
  expect(kindOf(url(2), list)).toEqual(['already', 'ALREADY_CHECKED_IN', 300])
  expect(judge(url(2), list, new Map())?.verdict).toMatchObject({ word: 'Has left', first: null })
  // What this phone has done, and the server does not know yet.
  expect(wordOf(1, 'in', new Map([[1, { out: at }]]))).toBe('Back in')
  expect(wordOf(2, 'in', new Map([[2, { out: undefined }]]))).toBe('Already in')
})

test('a ticket is valid by its code, its JSON form or its short code, and is shown with the answers for the door', () => {
  const answers = [
    { qId: 8, answer: 'Fish' },
    { qId: 7, answer: 'Nuts' },
    { qId: 9, answer: 'Not for the door' },
  ]
  const list = listOf([ticket(42, { answers })])
  const id = { id: 42, qrUuid: SECRET }
  for (const text of [url(42), JSON.stringify(id), shortCode(id), ` #0042-${SECRET.slice(0, 8)} `])
    expect(judge(text, list, new Map())?.verdict).toEqual({
      ...{ kind: 'in', word: 'Valid', name: 'Guest 42', detail: '', due: null, first: null, ticketId: 42, code: null },
      notes: [
        { label: 'Allergies', text: 'Nuts' },
        { label: 'Meal', text: 'Fish' },
      ],
    })
})

test('a refusal says why, and how long to wait for the server', () => {
  const first = { at, by: 'Ana', device: 'Gate B' }
  const list = listOf([
    ticket(1),
    ticket(2, { status: 'cancelled' }),
    ticket(3, { status: 'pending' }),
    ticket(4, { in: first }),
  ])
  expect(kindOf(url(1), list)).toEqual(['in', null, 300])
  expect(kindOf(url(2), list)).toEqual(['refused', 'TICKET_CANCELLED', 3000])
  expect(kindOf(url(3), list)).toEqual(['refused', 'TICKET_UNPAID', 3000])
  expect(kindOf(url(4), list)).toEqual(['already', 'ALREADY_CHECKED_IN', 300])
  expect(kindOf(url(5), list)).toEqual(['refused', 'NOT_FOUND', 3000])
  expect(kindOf(url(1, OTHER), list)).toEqual(['refused', 'NOT_FOUND', 3000])
  expect(kindOf(shortCode({ id: 1, qrUuid: OTHER }), list)).toEqual(['refused', 'NOT_FOUND', 3000])
  expect(kindOf(`${url(1)}?type=voucher`, list)).toEqual(['refused', 'WRONG_SCANNER', 0])
  const drinks = { id: 77, name: 'Drinks', hash: secretHash({ id: 77, qrUuid: OTHER }), short: '', units: [] }
  const withVoucher = listOf([ticket(1, { vouchers: [drinks] })])
  for (const text of [url(77, OTHER), JSON.stringify({ id: 77, qrUuid: OTHER })])
    expect(kindOf(text, withVoucher)).toEqual(['refused', 'WRONG_SCANNER', 0])
  expect(kindOf(url(77), withVoucher)).toEqual(['refused', 'NOT_FOUND', 3_000])
  const calledOff: TicketList = { ...list, event: { ...list.event, status: 'cancelled' } }
  expect(kindOf(url(1), calledOff)).toEqual(['refused', 'EVENT_CANCELLED', 3000])
  expect(kindOf(url(1, OTHER), calledOff)).toEqual(['refused', 'NOT_FOUND', 3000])
  expect(kindOf('hello', list)).toEqual(['refused', 'INVALID_QR', 0])
  expect(judge(url(4), list, new Map())?.verdict.first).toEqual({ checkin: first, timeZone: 'Europe/Berlin' })
})

test('an unpaid ticket tells what is to pay, if the phone knows it', () => {
  const due = { amount: 4700, currency: 'gbp' }
  const verdictFor = (fields: Partial<DoorTicket>) => judge(url(3), listOf([ticket(3, fields)]), new Map())?.verdict
  expect(verdictFor({ status: 'pending', due })).toMatchObject({
    due: '£47.00 to pay',
    detail: 'They can pay on their ticket’s page.',
  })
  expect(verdictFor({ status: 'pending' })?.due).toBeNull()
  expect(verdictFor({ status: 'cancelled', due })?.due).toBeNull()
})

test('local check-ins count before the server knows of them', () => {
  const checkin = { at, by: 'Ana', device: 'Gate A' }
  const list = listOf([ticket(1), ticket(2, { in: checkin })])
  expect(kindOf(url(1), list, new Map([[1, { in: checkin }]]))).toEqual(['already', 'ALREADY_CHECKED_IN', 300])
  expect(kindOf(url(2), list, new Map([[2, { in: null }]]))).toEqual(['in', null, 300])
})

test('without a list only a text that is no code can be judged', () => {
  expect(kindOf('hello', null)).toEqual(['refused', 'INVALID_QR', 0])
  expect(kindOf(url(1), null)).toBeNull()
})

test('the same verdicts whatever the phone’s clock says', () => {
  const state = fc.record({
    status: fc.constantFrom('confirmed' as const, 'cancelled' as const, 'pending' as const),
    in: fc.constantFrom(null, { at, by: 'Ana', device: null }),
  })
  fc.assert(
    fc.property(state, fc.integer({ min: -86_400_000_000, max: 86_400_000_000 }), (fields, wrongBy) => {
      const list = listOf([ticket(1, fields)])
      const right = judge(url(1), list, new Map())
      vi.useFakeTimers({ now: Date.now() + wrongBy })
      const wrong = judge(url(1), list, new Map())
      vi.useRealTimers()
      expect(wrong).toEqual(right)
    }),
  )
})

test('any text gets a verdict, and only the ticket’s own code is valid', () => {
  const list = listOf([ticket(1)])
  const almost = fc.tuple(fc.nat(SECRET.length - 1), fc.constantFrom(...'0123456789abcdef')).map(([index, digit]) => {
    const other = SECRET.slice(0, index) + digit + SECRET.slice(index + 1)
    return other === SECRET || SECRET[index] === '-' ? OTHER : other
  })
  fc.assert(fc.property(fc.string(), (text) => kindOf(text, list)?.[0] === 'refused'))
  fc.assert(fc.property(almost, (secret) => kindOf(url(1, secret), list)?.[0] === 'refused'))
})

test('an unpaid ticket whose money this phone has taken is in, and unpaid again once that is taken back', () => {
  const due = { amount: 2500, currency: 'eur' }
  const list = listOf([ticket(1, { status: 'pending', due })])
  const payment = { way: 'cash', ...due } as const
  const made = { clock: at.getTime(), running: 0, page: '', ahead: 0 }
  const about = { eventId: 1, scanId: '', ticketId: 1, payment, wasShownIn: true, by: 'Ana', made }
  const paid = localChangeOf({ ...about, act: { kind: 'pay', registrationId: 1, ...payment } }, 'Gate A')
  expect(kindOf(url(1), list, new Map([[1, paid]]))).toEqual(['already', 'ALREADY_CHECKED_IN', 300])
  // Also where the server has the payment, but not yet that it was taken back.
  const settled = listOf([ticket(1)])
  const undone = localChangeOf({ ...about, act: { kind: 'undo', scanId: '' } }, 'Gate A')
  expect(kindOf(url(1), settled, new Map([[1, undone]]))).toEqual(['refused', 'TICKET_UNPAID', 3000])
})
