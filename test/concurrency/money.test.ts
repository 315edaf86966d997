import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { clubMemberApi } from '../../src/contract/club-members.ts'
import { type Code, codeApi } from '../../src/contract/codes.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { workAtStripe, workOnHolds } from '../../src/server/payments/worker.ts'
import { type PayingApp, startPayingApp } from '../support/bank.ts'
import { makeEvent, makeExtras, makeFixture, registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import type { TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

// Random actions of visitors, staff, the bank and the network, in any order: at the end there is one ticket or one refund for each
// charge, and nothing was oversold.
let paying: PayingApp
let servers: TestApp[]
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeAll(async () => {
  paying = await startPayingApp(null, { limits: false })
  servers = [paying.app, await paying.app.another()]
  fixture = await makeFixture(paying.app)
  const members = [{ number: '7', email: 'mia@example.org' }]
  await paying.app.call(clubMemberApi.saveMembers, { payload: { clubId: fixture.club.id, members } }, fixture.token)
})
afterAll(() => paying.stop())

const steps = [
  'register',
  'register',
  'register with voucher',
  'register a family',
  'register a family',
  'register with code',
  'register a family with code',
  'register as a member',
  'register as a member',
  'more uses',
  'fewer uses',
  'pay',
  'pay',
  'pay twice at once',
  'return',
  'ask for checkout',
  'ask for checkout twice at once',
  'deliver',
  'deliver',
  'work',
  'wait a little',
  'wait long',
  'give back',
  'cancel',
  'confirm again',
  'refund part',
  'refund',
  'remove',
  'more places',
  'fewer places',
  'bank works',
  'bank works',
  'bank fails',
  'bank drops',
  'bank refuses',
  'webhooks kept',
  'webhooks sent twice',
  'webhooks lost',
] as const
const randomRun = fc.array(fc.record({ step: fc.constantFrom(...steps), which: fc.nat(1000) }), {
  minLength: 15,
  maxLength: 60,
})

interface Held {
  id: number
  qrUuid: string
}

interface Given {
  event: Event
  extrasId: number
  /** The ticket that costs nothing, of which there is one, besides the others. */
  babyId: number
  /** The ticket for members, of which each may have one. */
  memberId: number
  /** A code that two people can use at first. */
  code: Code
}

/** One random run on an event of its own with few seats and one voucher. */
async function live(
  { event, extrasId, babyId, memberId, code }: Given,
  doings: { step: (typeof steps)[number]; which: number }[],
) {
  const { app, bank } = paying
  const held: Held[] = []
  // Orders all of whose people are still treated alike: nobody has acted on one of them alone.
  const whole: number[][] = []
  const actOn = (one: Held | undefined) => {
    const at = whole.findIndex((ids) => one && ids.includes(one.id))
    if (at >= 0) whole.splice(at, 1)
  }
  const typed = { code: code.code.toLowerCase() }
  const of = (which: number) => held[which % Math.max(1, held.length)]
  const sessions = () => bank.sessions().slice(sessionsBefore)
  const sessionsBefore = bank.sessions().length
  const eventsBefore = bank.events.length

  async function doOne(step: (typeof steps)[number], which: number): Promise<unknown> {
    const server = servers[which % 2] ?? app
    const session = sessions()[which % Math.max(1, sessions().length)]
    const one = of(which)
    const staff = one && { registrationId: one.id, eventId: event.id }
    const alone: readonly (typeof steps)[number][] = ['give back', 'cancel', 'confirm again', 'refund', 'remove']
    if (alone.includes(step)) actOn(one)
    const setStatus = (status: 'cancelled' | 'confirmed') =>
      one &&
      server.call(attendeeApi.updateStatus, { payload: { id: one.id, eventId: event.id, status } }, fixture.token)
    const checkout = () =>
      one && server.call(paymentApi.createCheckout, { payload: { registrationId: one.id, qrUuid: one.qrUuid } })
    switch (step) {
      case 'register':
      case 'register with code':
      case 'register with voucher': {
        const extrasIds = step === 'register with voucher' ? [extrasId] : []
        const request = { ...registrationFor(event), extrasIds, ...(step === 'register with code' && typed) }
        const { savedRegistration } = await server.call(registrationApi.initRegistration, request)
        return held.push({ id: savedRegistration.id, qrUuid: savedRegistration.qrUuid })
      }
      case 'register as a member': {
        const request = registrationFor(event)
        const newRegistration = {
          ...request.newRegistration,
          ticketTypeId: memberId,
          memberId: which % 2 === 0 ? '7' : 'mia@example.org',
        }
        const { savedRegistration } = await server.call(registrationApi.initRegistration, {
          ...request,
          newRegistration,
        })
        return held.push({ id: savedRegistration.id, qrUuid: savedRegistration.qrUuid })
      }
      case 'register a family':
      case 'register a family with code': {
        const withCode = step === 'register a family' ? {} : typed
        const companions = [companion(), companion({ ticketTypeId: babyId }), companion()].slice(0, 1 + (which % 3))
        const request = { ...registrationFor(event), ...withCode, companions }
        const answer = await server.call(registrationApi.initRegistration, request)
        const registrations = answer.registrations ?? []
        whole.push(registrations.map(({ id }) => id))
        return held.push(...registrations.map(({ id, qrUuid }) => ({ id, qrUuid })))
      }
      case 'more uses':
      case 'fewer uses': {
        const codes = await server.call(codeApi.getCodes, { eventId: event.id }, fixture.token)
        const maxUses = Math.max(1, (codes[0]?.maxUses ?? 1) + (step === 'more uses' ? 1 : -1))
        const { version: _, usedCount: __, ...fields } = code
        return server.call(codeApi.saveCode, { payload: { ...fields, maxUses } }, fixture.token)
      }
      case 'more places':
      case 'fewer places': {
        const maxAttendees = Math.max(1, (await taken()).maxAttendees + (step === 'more places' ? 1 : -1))
        return server.call(eventApi.save, { id: event.id, maxAttendees }, fixture.token)
      }
      case 'pay':
        return session && bank.pay(session.id)
      case 'pay twice at once':
        return session && Promise.allSettled([bank.pay(session.id), bank.pay(session.id)])
      case 'return':
        return session && server.call(paymentApi.sessionStatus, { sessionId: session.id })
      case 'ask for checkout':
        return checkout()
      case 'ask for checkout twice at once':
        return Promise.allSettled([checkout(), checkout()])
      case 'deliver': {
        const told = bank.events.slice(eventsBefore)
        const one = told[which % Math.max(1, told.length)]
        return one && bank.deliver(one.id)
      }
      case 'work':
        return work(server)
      case 'wait a little':
        return wait(1 + (which % 5))
      case 'wait long':
        return wait(25 + (which % 20))
      case 'give back':
        return one && server.call(ticketApi.giveBack, { payload: { registrationId: one.id, qrUuid: one.qrUuid } })
      case 'cancel':
        return setStatus('cancelled')
      case 'confirm again':
        return setStatus('confirmed')
      case 'refund part':
        return (
          staff && server.call(paymentApi.refund, { payload: { ...staff, amount: 1 + (which % 900) } }, fixture.token)
        )
      case 'refund':
        return staff && server.call(paymentApi.refund, { payload: staff }, fixture.token)
      case 'remove':
        return staff && server.call(attendeeApi.removeRegistration, staff, fixture.token)
      default:
        return bank.behave(moods[step])
    }
  }

  async function taken() {
    const { registrationCount, maxAttendees } = await app.deps.db
      .selectFrom('events')
      .select(['registrationCount', 'maxAttendees'])
      .where('id', '=', event.id)
      .executeTakeFirstOrThrow()
    return { registrationCount, maxAttendees: maxAttendees ?? 0 }
  }
  for (const { step, which } of doings) {
    // Refusals, broken connections and expired sessions are expected.
    await doOne(step, which).catch(() => {})
    const { registrationCount, maxAttendees } = await taken()
    expect(registrationCount).toBeLessThanOrEqual(maxAttendees)
    expect(await splitAmong(app, whole)).toEqual([])
  }
  await settleDown()
  await agree(sessionsBefore)
}

/** The orders of which some have their places and others do not. */
async function splitAmong({ deps: { db } }: TestApp, orders: readonly number[][]): Promise<number[][]> {
  const ids = orders.flat()
  if (ids.length === 0) return []
  const rows = await db.selectFrom('registrations').select(['id', 'status']).where('id', 'in', ids).execute()
  return orders.filter(
    (order) => new Set(rows.flatMap(({ id, status }) => (order.includes(id) ? status : []))).size > 1,
  )
}

async function work({ deps }: TestApp): Promise<void> {
  await workOnHolds(deps)
  await workAtStripe(deps)
}

const moods = {
  'bank works': { api: 'work' },
  'bank fails': { api: 'fail' },
  'bank drops': { api: 'drop' },
  'bank refuses': { api: 'refuse' },
  'webhooks kept': { webhooks: 'keep' },
  'webhooks sent twice': { webhooks: 'twice' },
  'webhooks lost': { webhooks: 'lose' },
} as const

function wait(minutes: number): void {
  const now = new Date(paying.app.clock.now.getTime() + minutes * 60_000)
  for (const server of servers) server.clock.now = now
}

/** Lets the bank recover and all holds end; events that were lost or withheld stay undelivered. */
async function settleDown(): Promise<void> {
  paying.bank.behave({ api: 'work', webhooks: 'send' })
  await paying.bank.settled()
  for (let round = 0; round < 6; round++) {
    wait(61)
    for (const server of servers) await work(server)
    await paying.bank.settled()
  }
}

/** Checks that the bank's books and ours agree to the cent. */
async function agree(sessionsBefore: number): Promise<void> {
  const { app, bank } = paying
  const { db } = app.deps
  await verify(db)
  const ids = bank
    .sessions()
    .slice(sessionsBefore)
    .map(({ id }) => id)
  const charges = bank.ledger().filter(({ sessionId }) => ids.includes(sessionId))
  for (const { sessionId, charged, refunded, metadata: _, ...charge } of charges) {
    const lead = await db
      .selectFrom('payments')
      .selectAll()
      .where('sessionId', '=', sessionId)
      .executeTakeFirstOrThrow()
    const parts = await db.selectFrom('payments').selectAll().where('leadId', '=', lead.id).execute()
    const ours = [lead, ...parts].reduce(
      (sum, part) => ({ amount: sum.amount + part.amount, refunded: sum.refunded + part.refunded }),
      { amount: 0, refunded: 0 },
    )
    expect(ours, `payments of ${sessionId}`).toEqual({ amount: charged, refunded })
    for (const { status } of [lead, ...parts]) expect(status).toBe('paid')
    expect(lead).toMatchObject(charge)
  }
  const open = await db.selectFrom('payments').select('id').where('status', 'in', ['starting', 'open']).execute()
  expect(open).toEqual([])
  const paid = await db
    .selectFrom('payments')
    .select('sessionId')
    .where('status', '=', 'paid')
    .where('leadId', 'is', null)
    .execute()
  expect(paid.every(({ sessionId }) => bank.ledger().some((charge) => charge.sessionId === sessionId))).toBe(true)
}

test('money and registrations agree after random runs', async () => {
  await fc.assert(
    fc.asyncProperty(randomRun, async (doings) => {
      paying.bank.behave({ api: 'work', webhooks: 'send' })
      const from = paying.app.clock.now.getTime()
      const times = { startsAt: new Date(from + 30 * 86_400_000), endsAt: new Date(from + 31 * 86_400_000) }
      const rules = { ticketPrice: 1500, maxAttendees: 4, maxPerEmail: 10 }
      const event = await makeEvent(paying.app, fixture.token, { ...times, ...rules })
      const eventId = event.id
      const extras = await makeExtras(paying.app, fixture.token, eventId, { price: 700, maxQuantity: 1 })
      const [adult] = await paying.app.call(ticketTypeApi.getTicketTypes, { eventId })
      const ticketTypes = [
        { id: adult?.id, name: 'Adult' },
        { name: 'Baby', price: 0, maxQuantity: 1 },
        { name: 'Member', price: 900, access: 'member' as const },
      ]
      const payload = { eventId, ticketTypes }
      const [, baby, member] = await paying.app.call(ticketTypeApi.saveTicketTypes, { payload }, fixture.token)
      const terms = { kind: 'percent' as const, value: 50, ticketTypeIds: [], opensAt: null, closesAt: null, note: '' }
      const early = { eventId, code: 'EARLY', maxUses: 2, ...terms }
      const code = await paying.app.call(codeApi.saveCode, { payload: early }, fixture.token)
      await live({ event, extrasId: extras.id, babyId: baby?.id ?? 0, memberId: member?.id ?? 0, code }, doings)
    }),
    // The same random runs each time, so that only a code change can make them fail; set SEED=… RUNS=500 to search further.
    { seed: Number(process.env.SEED ?? 20_261_121), numRuns: Number(process.env.RUNS ?? 15), endOnFailure: true },
  )
}, 240_000)
