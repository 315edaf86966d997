import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi, type QueuedScan } from '../../src/contract/door.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { workOnHolds } from '../../src/server/payments/worker.ts'
import { makePass, registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { refusalOf } from '../support/outcomes.ts'
import { begin, cancel, family, ledger, orderOf, payAgain, payTicket, statusesOf } from '../support/paid-orders.ts'
import {
  app,
  bank,
  later,
  MINUTE,
  mailsTo,
  paying,
  seatsTaken,
  setUpPayingApp,
  statusOf,
  tell,
} from '../support/paying.ts'

setUpPayingApp()

let fixture: Awaited<ReturnType<typeof family>>
beforeEach(async () => {
  fixture = await family()
})
const baby = () => companion({ ticketTypeId: fixture.idOf('Baby') })

describe('whoever of an order has nothing to pay', () => {
  test('gets a ticket when everybody who had has left', async () => {
    const { event, eventId, token, idOf } = fixture
    const { order, registrations } = await begin(event, [companion(), baby()], {}, idOf('Baby'))
    const [contact, payer, child] = registrations
    if (!contact || !payer || !child) throw new Error('An order of three.')
    const payload = { orderId: order.id, secret: order.secret, registrationIds: [payer.id] }
    await app.call(orderApi.giveBackTickets, { payload })
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'cancelled', 'confirmed'])
    await app.finishMails()
    expect(mailsTo(order.contact.email)).toHaveLength(1)
    await refusalOf(payAgain(order), 'ALREADY_PAID')
    later(31 * MINUTE)
    await paying.finishPayments()
    expect(await seatsTaken(eventId)).toBe(2)

    const other = await begin(event, [baby()])
    await cancel(eventId, other.savedRegistration, token)
    expect(await statusesOf(other.registrations)).toEqual(['cancelled', 'confirmed'])
  })

  test('and has another ticket by now, does not keep the others from theirs', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, idOf } = fixture
    const { order, registrations, session } = await begin(event, [companion()], {}, idOf('Baby'))
    await bank.pay(session)
    later(31 * MINUTE)
    // The worker would ask the bank too.
    await workOnHolds(app.deps)
    const { name, email } = order.contact
    const again = registrationFor(event, { name, email })
    const newRegistration = { ...again.newRegistration, ticketTypeId: idOf('Baby') }
    await app.call(registrationApi.initRegistration, { ...again, newRegistration })
    await app.call(paymentApi.sessionStatus, { sessionId: session })
    expect(await statusesOf(registrations)).toEqual(['cancelled', 'confirmed'])
    expect(ledger()).toEqual([[2500, 0]])
  })
})

describe('at the door', () => {
  const paid = (registrationId: number): QueuedScan => ({
    act: { kind: 'pay', registrationId, way: 'cash', amount: 2500, currency: 'eur' },
    ...{ scanId: randomUUID(), agoMs: 0, wasShownIn: true },
  })
  let helper: string
  beforeEach(async () => {
    helper = (await makePass(app, fixture.event, fixture.token, ['tickets', 'take-money', 'search'])).session
  })
  async function sync(...scans: QueuedScan[]) {
    const payload = { eventId: fixture.eventId, device: { id: 'aaaa', name: 'Gate' }, scans }
    const { answers } = await app.call(doorApi.syncScans, { payload }, helper)
    return answers.map(({ code }) => code)
  }

  test('one who pays ends the session of all, and whoever costs nothing gets in with them', async () => {
    const { registrations } = await begin(fixture.event, [companion(), baby()])
    const [first, second] = registrations
    if (!first || !second) throw new Error('An order of three.')
    expect(await sync(paid(first.id))).toEqual([null])
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'pending', 'confirmed'])
    await paying.finishPayments()
    expect(bank.sessions()).toMatchObject([{ status: 'expired' }])
    // Alone now, with a page of their own to come back to.
    await bank.pay(await payTicket(second))
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'confirmed', 'confirmed'])
    expect(ledger()).toEqual([[2500, 0]])
  })

  test('one who pays after the hold has ended brings along whoever costs nothing', async () => {
    const { registrations } = await begin(fixture.event, [baby()])
    later(31 * MINUTE)
    await paying.finishPayments()
    expect(await sync(paid(registrations[0]?.id ?? 0))).toEqual([null])
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'confirmed'])
  })

  test('what a phone did without network is decided in its order: who costs nothing comes in after the payment', async () => {
    const { registrations } = await begin(fixture.event, [baby()])
    const [first, child] = registrations
    if (!first || !child) throw new Error('An order of two.')
    const letIn: QueuedScan = {
      act: { kind: 'hand', registrationId: child.id },
      ...{ scanId: randomUUID(), agoMs: 0, wasShownIn: true },
    }
    expect(await sync(paid(first.id), letIn)).toEqual([null, null])
    const asked = { eventId: fixture.eventId, searchKeyword: '', sortBy: 'name' as const, limit: 10 }
    const { attendees } = await app.call(attendeeApi.getAttendees, asked, fixture.token)
    expect(attendees.map(({ checkin }) => checkin?.status)).toEqual([true, true])
  })

  test('who pays is let in alone where there is no place any more for whoever costs nothing', async () => {
    const { event, eventId, token } = fixture
    const { registrations } = await begin(event, [baby()])
    later(31 * MINUTE)
    await paying.finishPayments()
    await begin(event, [])
    await app.call(eventApi.save, { id: eventId, maxAttendees: 2 }, token)
    expect(await sync(paid(registrations[0]?.id ?? 0))).toEqual([null])
    expect(await statusesOf(registrations)).toEqual(['confirmed', 'cancelled'])
  })

  test('a payment that is undone takes the tickets of those with it, unless somebody else has paid', async () => {
    const { registrations } = await begin(fixture.event, [companion(), baby()])
    const [first, second] = registrations
    if (!first || !second) throw new Error('An order of three.')
    const undo = async ({ scanId }: QueuedScan) =>
      sync({ scanId: randomUUID(), act: { kind: 'undo', scanId }, agoMs: 0, wasShownIn: false })
    const one = paid(first.id)
    await sync(one)
    expect(await undo(one)).toEqual([null])
    expect(await statusesOf(registrations)).toEqual(['pending', 'pending', 'pending'])
    const again = paid(first.id)
    await sync(again)
    const other = paid(second.id)
    await sync(other)
    expect(await undo(again)).toEqual([null])
    expect(await statusesOf(registrations)).toEqual(['pending', 'confirmed', 'confirmed'])
    expect(await undo(other)).toEqual([null])
    expect(await statusesOf(registrations)).toEqual(['pending', 'pending', 'pending'])
  })
})

describe('whoever pays', () => {
  test('is told once of all that goes back', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event } = await family({ maxAttendees: 3 })
    const cy = companion({ name: 'Cy', email: 'cy@example.org' })
    const { order, session } = await begin(event, [companion(), cy])
    await bank.pay(session)
    later(31 * MINUTE)
    await begin(event, [])
    await app.call(paymentApi.sessionStatus, { sessionId: session })
    await app.finishMails()
    expect(mailsTo(order.contact.email)).toEqual(['Your money goes back: Summer party'])
    expect(app.sent.find(({ to }) => to === order.contact.email)?.text).toContain('€75.00')
    expect(mailsTo('cy@example.org')).toEqual([])
  })

  test('is told for whom money goes back, and nothing of a ticket that it is not about', async () => {
    bank.behave({ webhooks: 'keep' })
    const { event, eventId, token } = fixture
    const { order, registrations, session } = await begin(event, [companion({ name: 'Bea' })])
    await bank.pay(session)
    const [, bea] = registrations
    if (bea) await cancel(eventId, bea, token)
    await app.call(paymentApi.sessionStatus, { sessionId: session })
    await app.finishMails()
    const mail = app.sent.find(({ to, subject }) => to === order.contact.email && subject.startsWith('Your money'))
    expect(mail?.text).toContain('It was paid for: Bea.')
    expect(mail?.text).not.toContain('ticket stays')
  })

  test('comes back to the page of one ticket only where that is paid alone', async () => {
    const { event, eventId, token } = fixture
    const { order, registrations, session } = await begin(event, [baby()])
    const [first, child] = registrations
    if (!first || !child) throw new Error('An order of two.')
    const pageOf = async (session: string) =>
      (await fetch(bank.sessions().find(({ id }) => id === session)?.url ?? '')).text()
    expect(await pageOf(session)).toContain(order.secret)
    await cancel(eventId, child, token)
    const page = await pageOf(await payTicket(first))
    expect(page).toContain(first.qrUuid)
    expect(page).not.toContain(order.secret)
  })

  test('cannot pay for less than the bank takes', async () => {
    const { event, eventId, token } = fixture
    const few = { eventId, name: 'Sweets', description: '', price: 30, maxQuantity: null, content: [] }
    const sweets = await app.call(extrasApi.saveExtras, { payload: few }, token)
    const child = companion({ ticketTypeId: fixture.idOf('Baby'), extrasIds: [sweets.id] })
    const { registrations, savedRegistration } = await begin(event, [child])
    await cancel(eventId, savedRegistration, token)
    const refusal = await refusalOf(payTicket(registrations[1] ?? savedRegistration), 'PAYMENTS_OFF')
    expect(refusal.message).toContain('€0.50')
  })
})

describe('the session of an order', () => {
  test('ends when its contact is removed, because its page is gone', async () => {
    const { event, eventId, token, idOf } = fixture
    const { savedRegistration } = await begin(event, [companion()], {}, idOf('Baby'))
    await app.call(attendeeApi.removeRegistration, { eventId, registrationId: savedRegistration.id }, token)
    await paying.finishPayments()
    expect(bank.sessions()).toMatchObject([{ status: 'expired' }])
  })

  test('disputed, is one dispute', async () => {
    const { event, club, token } = fixture
    const { session } = await begin(event, [companion(), companion()])
    await bank.pay(session)
    const payment_intent = bank.ledger()[0]?.paymentIntent
    await tell('charge.dispute.created', { id: 'dp_1', payment_intent, status: 'needs_response' })
    expect(await app.call(clubApi.getNeeds, { clubId: club.id }, token)).toMatchObject([{ kind: 'disputes', count: 1 }])
  })

  test('is neither opened nor settled by a server of an earlier version, and what it ends is ended', async () => {
    const { event } = fixture
    const { order, session } = await begin(event, [companion(), baby()])
    const { db } = app.deps
    const lead = sql`update payments set`
    const isLead = sql`where lead_id is null`
    await expect(
      sql`${lead} status = 'paid', paid_at = now(), payment_intent = 'pi_1' ${isLead}`.execute(db),
    ).rejects.toThrow('settled together')
    await expect(sql`${lead} request = '{"metadata": {}}' ${isLead}`.execute(db)).rejects.toThrow('all of an order')
    await sql`${lead} status = 'ended', ask_at = null ${isLead}`.execute(db)
    const rows = await db.selectFrom('payments').select('status').execute()
    expect(rows).toEqual([{ status: 'ended' }, { status: 'ended' }])
    // A new session is opened, and the old one is settled all the same.
    expect(await payAgain(order)).not.toBe(session)
    expect((await orderOf(order)).order.status).toBe('pending')
  })
})

test('a refund at the bank is booked on the one whose money it is exactly', async () => {
  const { event, eventId, idOf, token } = fixture
  const { registrations, session } = await begin(event, [companion({ ticketTypeId: idOf('Child') })])
  await bank.pay(session)
  const payment_intent = bank.ledger()[0]?.paymentIntent
  await tell('charge.refunded', { id: 'ch_1', payment_intent, amount_refunded: 1000 })
  const [, child] = registrations
  if (child) await cancel(eventId, child, token)
  await paying.finishPayments()
  // Nothing goes back twice.
  expect(bank.refunds()).toEqual([])
  expect(child && (await statusOf(child))).toBe('cancelled')
})
