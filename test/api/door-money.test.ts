import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { passApi } from '../../src/contract/passes.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import type { Registration } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import type { makeFixture } from '../support/make.ts'
import { makeMember, makePass } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import {
  app,
  bank,
  paying as bankApp,
  begin,
  later,
  MINUTE,
  mailsTo,
  pricedFixture,
  seatsTaken,
  setUpPayingApp,
  statusOf,
} from '../support/paying.ts'

setUpPayingApp()

let fixture: Awaited<ReturnType<typeof makeFixture>>
let helper: string
beforeEach(async () => {
  fixture = await pricedFixture({ maxAttendees: 1 })
  helper = (await pass(['tickets', 'take-money'])).session
})
afterEach(async () => {
  // Whatever happened: what the helpers have taken is part of the income.
  const { income, doorMoney, incomeByDay } = await statistics()
  const taken = doorMoney.reduce((sum, { amount }) => sum + amount, 0)
  const { rows } = await takenRows()
  expect(taken).toBe(rows.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0))
  expect(taken).toBeLessThanOrEqual((income?.paid ?? 0) - (income?.refunded ?? 0))
  expect(incomeByDay.reduce((sum, day) => sum + day.paid - day.refunded, 0)).toBe(
    (income?.paid ?? 0) - (income?.refunded ?? 0),
  )
})

const [gateA, gateB] = [
  { id: 'aaaa', name: 'Gate A' },
  { id: 'bbbb', name: 'Gate B' },
]
type Way = 'cash' | 'terminal'

function paying({ id }: Registration, fields: Partial<QueuedScan> & { way?: Way; amount?: number } = {}): QueuedScan {
  const { way = 'cash', amount = 2500, ...rest } = fields
  const act = { kind: 'pay' as const, registrationId: id, way, amount, currency: 'eur' }
  return { scanId: randomUUID(), act, agoMs: 0, wasShownIn: true, ...rest }
}
const takingBack = (scanId: string): QueuedScan => ({
  ...{ scanId: randomUUID(), act: { kind: 'undo', scanId }, agoMs: 0, wasShownIn: false },
})

async function sync(scans: QueuedScan[], device = gateA, token = helper) {
  const { answers } = await app.call(
    doorApi.syncScans,
    { payload: { eventId: fixture.event.id, device, scans } },
    token,
  )
  return answers
}

const pass = (may: Parameters<typeof makePass>[3]) => makePass(app, fixture.event, fixture.token, may)
const statistics = () =>
  app.call(statisticsApi.getStatistics, { eventId: fixture.event.id, date: '2026-11-20' }, fixture.token)
const takenRows = async () => ({
  rows: await app.deps.db.selectFrom('payments').selectAll().where('takenAs', 'is not', null).execute(),
})
const refunds = () => app.deps.db.selectFrom('refunds').selectAll().orderBy('id').execute()
const conflicts = () => app.call(doorApi.getConflicts, { eventId: fixture.event.id }, fixture.token)
const isIn = async ({ id }: Registration) =>
  (await app.deps.db.selectFrom('checkins').select('status').where('registrationId', '=', id).executeTakeFirst())
    ?.status ?? false

test('money taken without network settles the ticket once, however often it is sent, and lets its holder in', async () => {
  const { registration } = await begin(fixture.event)
  const scan = paying(registration, { agoMs: 5 * MINUTE, way: 'terminal' })
  const [first] = await sync([scan])
  expect(first).toMatchObject({ code: null, name: registration.registrationData.name })
  expect(first?.checkin).toMatchObject({ checkedInBy: 'Hal Helper', device: 'Gate A' })
  const again = await Promise.all(Array.from({ length: 5 }, () => sync([scan])))
  for (const [answer] of again) expect(answer).toEqual(first)
  expect(await statusOf(registration)).toBe('confirmed')
  expect((await statistics()).doorMoney).toEqual([{ by: 'Hal Helper', way: 'terminal', count: 1, amount: 2500 }])
  expect(await conflicts()).toEqual([])
  await bankApp.finishPayments()
  await app.finishMails()
  expect(mailsTo(registration.registrationData.email)).toHaveLength(1)
  expect(app.sent.at(-1)?.text).toContain('Paid €25.00 at the door on 20/11/2026')
  expect(await refunds()).toEqual([])
})

test('of two phones that took money for the same person the first counts, and the second is a conflict with its amount', async () => {
  const { registration } = await begin(fixture.event)
  await sync([paying(registration)])
  const second = paying(registration, { way: 'terminal' })
  const answers = [await sync([second], gateB), await sync([second], gateB)]
  expect(answers).toMatchObject([[{ code: 'ALREADY_PAID' }], [{ code: 'ALREADY_PAID' }]])
  const money = { way: 'terminal', amount: 2500, currency: 'eur', isKept: false }
  expect(await conflicts()).toMatchObject([{ code: 'ALREADY_PAID', money, first: { device: 'Gate A' } }])
  expect((await takenRows()).rows).toHaveLength(1)
})

test('both at the same moment: one counts', async () => {
  const { registration } = await begin(fixture.event)
  const all = await Promise.all([sync([paying(registration)]), sync([paying(registration)], gateB)])
  expect(
    all
      .flat()
      .map(({ code }) => code)
      .sort(),
  ).toEqual(['ALREADY_PAID', null].sort())
  expect((await takenRows()).rows).toHaveLength(1)
  expect(await conflicts()).toHaveLength(1)
})

test('a hold that has ended is taken up again while there is a place', async () => {
  const { registration } = await begin(fixture.event)
  later(31 * MINUTE)
  expect(await sync([paying(registration)])).toMatchObject([{ code: null }])
  expect(await seatsTaken(fixture.event.id)).toBe(1)
  expect(await isIn(registration)).toBe(true)
})

test('once the place is sold, a question is refused, and money already taken is kept with a conflict, within the capacity', async () => {
  const { registration } = await begin(fixture.event)
  later(31 * MINUTE)
  const other = await begin(fixture.event)
  const scan = paying(registration, { wasShownIn: false })
  expect(await sync([scan])).toMatchObject([{ code: 'SOLD_OUT' }])
  expect((await takenRows()).rows).toEqual([])
  // The same payment again: the answer came too late, and the phone has let them in.
  expect(await sync([{ ...scan, wasShownIn: true }])).toMatchObject([{ code: 'SOLD_OUT' }])
  expect(await sync([{ ...scan, wasShownIn: true }])).toMatchObject([{ code: 'SOLD_OUT' }])
  expect(await conflicts()).toMatchObject([{ code: 'SOLD_OUT', money: { amount: 2500, isKept: true } }])
  expect((await takenRows()).rows).toMatchObject([{ registrationId: registration.id, amount: 2500, refunded: 0 }])
  expect(await statusOf(registration)).toBe('cancelled')
  expect(await statusOf(other.registration)).toBe('pending')
  expect(await seatsTaken(fixture.event.id)).toBe(1)
  expect(await isIn(registration)).toBe(false)
})

test('whoever gets a place after that keeps what was paid: it cannot be taken back at the door, nor the place given back', async () => {
  const { registration } = await begin(fixture.event)
  later(31 * MINUTE)
  const other = await begin(fixture.event)
  const scan = paying(registration)
  expect(await sync([scan])).toMatchObject([{ code: 'SOLD_OUT' }])
  const change = (id: number, status: 'cancelled' | 'confirmed') =>
    app.call(attendeeApi.updateStatus, { payload: { id, eventId: fixture.event.id, status } }, fixture.token)
  await change(other.registration.id, 'cancelled')
  await change(registration.id, 'confirmed')
  expect(await sync([takingBack(scan.scanId)])).toMatchObject([{ code: 'ILLEGAL_TRANSITION' }])
  expect((await takenRows()).rows).toMatchObject([{ amount: 2500, refunded: 0 }])
  const held = { registrationId: registration.id, qrUuid: registration.qrUuid }
  await refusalOf(app.call(ticketApi.giveBack, { payload: held }), 'HAS_PAID')
})

test('no server asks Stripe for money that was taken at the door', async () => {
  const { registration } = await begin(fixture.event)
  await sync([paying(registration)])
  const [payment] = (await takenRows()).rows
  const now = app.clock.now
  const wrong = { paymentId: payment?.id ?? 0, amount: 2500, reason: 'cancelled' as const, runAt: now, createdAt: now }
  await expect(app.deps.db.insertInto('refunds').values(wrong).execute()).rejects.toThrow('by hand')
})

test('a card payment that completes after the cash goes back to the card by itself', async () => {
  bank.behave({ webhooks: 'keep' })
  const { registration, session } = await begin(fixture.event)
  await bank.pay(session)
  await sync([paying(registration)])
  await bankApp.finishPayments()
  expect(bank.ledger()).toMatchObject([{ charged: 2500, refunded: 2500 }])
  expect(await statusOf(registration)).toBe('confirmed')
  expect(await refunds()).toMatchObject([{ reason: 'paid twice', status: 'done' }])
  expect((await takenRows()).rows).toMatchObject([{ refunded: 0 }])
})

test('the same where the place is gone and the money is kept', async () => {
  bank.behave({ webhooks: 'keep' })
  const { registration, session } = await begin(fixture.event)
  await bank.pay(session)
  later(31 * MINUTE)
  const other = await begin(fixture.event)
  await sync([paying(registration)])
  const payload = { id: other.registration.id, eventId: fixture.event.id, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload }, fixture.token)
  await app.call(paymentApi.sessionStatus, { sessionId: session })
  await bankApp.finishPayments()
  expect(bank.ledger()[0]).toMatchObject({ charged: 2500, refunded: 2500 })
  expect(await statusOf(registration)).toBe('cancelled')
})

test('the session of whoever paid at the door is ended, so that nobody can pay it any more', async () => {
  const { registration, session } = await begin(fixture.event)
  await sync([paying(registration)])
  await bankApp.finishPayments()
  await bank.pay(session).catch(() => {})
  expect(bank.ledger().filter(({ charged }) => charged > 0)).toEqual([])
})

test('a card payment before the cash counts, and the cash is a conflict', async () => {
  const { registration, session } = await begin(fixture.event)
  await bank.pay(session)
  await bankApp.finishPayments()
  expect(await sync([paying(registration)])).toMatchObject([{ code: 'ALREADY_PAID' }])
  expect(await conflicts()).toMatchObject([{ code: 'ALREADY_PAID', money: { isKept: false } }])
  expect((await takenRows()).rows).toEqual([])
})

test('a payment is taken back like a check-in, once: the ticket is unpaid again, and can be paid again', async () => {
  const { registration } = await begin(fixture.event)
  const scan = paying(registration)
  await sync([scan])
  const undo = takingBack(scan.scanId)
  expect(await sync([undo])).toMatchObject([{ code: null }])
  expect(await sync([undo])).toMatchObject([{ code: null }])
  expect(await sync([takingBack(scan.scanId)])).toMatchObject([{ code: 'ILLEGAL_TRANSITION' }])
  expect(await statusOf(registration)).toBe('pending')
  expect(await isIn(registration)).toBe(false)
  expect((await statistics()).doorMoney).toMatchObject([{ count: 0, amount: 0 }])
  expect(await refunds()).toMatchObject([{ reason: 'taken back', status: 'done', amount: 2500 }])
  // The first payment sent again is the same one, and stays undone.
  expect(await sync([scan])).toMatchObject([{ code: null }])
  expect(await statusOf(registration)).toBe('pending')
  expect(await sync([paying(registration)])).toMatchObject([{ code: null }])
  expect((await statistics()).doorMoney).toMatchObject([{ count: 1, amount: 2500 }])
  await app.finishMails()
  expect(mailsTo(registration.registrationData.email)).toHaveLength(1)
})

test('automatic refunds leave money from the door alone; staff record that they gave it back by hand', async () => {
  const { registration } = await begin(fixture.event)
  await sync([paying(registration)])
  const of = { registrationId: registration.id, eventId: fixture.event.id }
  const payload = { id: registration.id, eventId: fixture.event.id, status: 'cancelled' as const }
  await app.call(attendeeApi.updateStatus, { payload }, fixture.token)
  expect(await refunds()).toEqual([])
  await app.call(paymentApi.refund, { payload: of }, fixture.token)
  expect(await refunds()).toMatchObject([{ reason: 'by hand', status: 'done', attempts: 0 }])
  await bankApp.finishPayments()
  expect(await refunds()).toMatchObject([{ attempts: 0 }])
})

test('of the roles of a team and the helper passes, those with the permission and the scanner take money', async () => {
  const { event, club, token } = fixture
  const own = { clubId: club.id, token }
  const manager = await makeMember(app, own, 'manager')
  const doorOnly = await makeMember(app, own, 'door')
  const treasurer = await makeMember(app, own, 'treasurer')
  const { registration } = await begin(event)
  const scan = paying(registration)
  expect(await sync([scan], gateA, doorOnly.token)).toMatchObject([{ code: 'NOT_ALLOWED' }])
  await refusalOf(sync([scan], gateA, treasurer.token), 'NOT_ALLOWED')
  const { pass: made, session } = await pass(['tickets', 'take-money'])
  await app.call(passApi.revokePass, { payload: { eventId: event.id, id: made.id } }, token)
  later(MINUTE)
  expect(await sync([{ ...scan, scanId: randomUUID() }], gateA, session)).toMatchObject([{ code: 'PASS_ENDED' }])
  expect(await conflicts()).toMatchObject([{ code: 'PASS_ENDED', money: { amount: 2500, isKept: false } }])
  expect(await statusOf(registration)).toBe('pending')
  expect(await sync([scan], gateA, manager.token)).toMatchObject([{ code: null }])
  const taken = paying((await begin(event).catch(() => ({ registration }))).registration)
  expect(await sync([taken], gateA, token)).toMatchObject([{ code: 'ALREADY_PAID' }])
})

test('only whoever may take money does, and only the amount that is due', async () => {
  const { registration } = await begin(fixture.event)
  const without = (await pass(['tickets', 'search', 'walk-ins', 'redeem'])).session
  const noTickets = (await pass(['redeem', 'take-money'])).session
  expect(await sync([paying(registration)], gateA, without)).toMatchObject([{ code: 'NOT_ALLOWED' }])
  expect(await sync([paying(registration)], gateA, noTickets)).toMatchObject([{ code: 'NOT_ALLOWED' }])
  expect(await sync([paying(registration, { amount: 2400 })])).toMatchObject([{ code: 'INVALID_INPUT' }])
  expect((await takenRows()).rows).toEqual([])
  expect(await statusOf(registration)).toBe('pending')
})
