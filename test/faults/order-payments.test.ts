import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Input } from '../../src/contract/endpoint.ts'
import { Refusal } from '../../src/contract/errors.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { orderApi } from '../../src/contract/orders.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { connect } from '../../src/server/db/connect.ts'
import type { Db, RegistrationRow } from '../../src/server/db/schema.ts'
import { bankKeys } from '../support/bank.ts'
import { createEmptyDatabase } from '../support/databases.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { atOnce } from '../support/outcomes.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, makeDataDir, serve, until } from '../support/serve.ts'
import { verify } from '../support/verify.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'

const PORT = 4021
const SITE = `http://127.0.0.1:${PORT}`
const KILLS = 5
const CLIENTS = 8
const ORDERS = 30
/** Five of seven orders are to stay, with 67 people in all: they do not all fit. */
const PLACES = 56
/** The most that happens before the next kill: few enough for the last one to come while orders are still paid. */
const MOST_STEPS = 24
const PATIENCE_MS = 90_000
const env = {
  ...OPERATOR,
  LIMITS: 'off',
  STRIPE_SECRET_KEY: bankKeys.secretKey,
  STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
  PGAPPNAME: 'killed',
}

type Request = Input<typeof registrationApi.initRegistration>

/** An order whose registration was answered, with the bank's session. */
interface Acknowledged {
  request: Request
  order: { id: number; secret: string }
  people: Registration[]
  session: string
}

test('killed again and again while orders of several people are paid, the server loses none of them and splits none', async () => {
  const database = await createEmptyDatabase()
  const db = connect(database.url)
  const dataDir = makeDataDir()
  const bank = await startTestBank({ ...bankKeys, webhookUrl: `${SITE}/api/stripe/webhook` })
  const ours = { ...env, DATABASE_URL: database.url, STRIPE_API_BASE: bank.url }
  let served = await serve({ port: PORT, env: ours, dataDir })
  onTestFinished(async () => {
    await ended(served.process, 'SIGTERM')
    await bank.stop()
    await db.destroy()
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { acknowledged, triedToGiveBack, refusals, visit } = visitors(bank, await openShop())
  async function killAndRestart(): Promise<void> {
    await ended(served.process, 'SIGKILL')
    await endLeases(db)
    await expectNoneSplit(db)
    served = await serve({ port: PORT, env: ours, dataDir })
  }

  // The first kill comes when the bank has opened sessions and has not answered: each of these orders is made, and nobody knows.
  bank.behave({ delayMs: PATIENCE_MS })
  let isOver = false
  const visits = Promise.all(atOnce([...Array(ORDERS).keys()], CLIENTS, visit)).finally(() => (isOver = true))
  await until(async () => bank.sessions().length === CLIENTS, PATIENCE_MS, 'the bank has opened sessions')
  expect([acknowledged.length, new Set((await rowsOf(db)).map(({ orderId }) => orderId)).size]).toEqual([0, CLIENTS])
  // Slow enough for the other kills to come while the server waits for it.
  bank.behave({ delayMs: 20 })
  await killAndRestart()
  const steps = () => acknowledged.length + bank.requests().length + bank.events.length
  for (let kill = 1; kill < KILLS; kill++) {
    const moment = steps() + Math.random() * MOST_STEPS
    await until(async () => isOver || steps() >= moment, PATIENCE_MS, 'it is time to kill the server')
    await killAndRestart()
  }
  await visits
  await bank.settled()
  for (const { id, delivered } of bank.events) if (delivered === 0) expect(await bank.deliver(id)).toBe(200)
  await until(() => isQuiet(db), PATIENCE_MS, 'every refund is made and every mail sent')
  await expectNoneSplit(db)
  await expectMoneyRight(bank, triedToGiveBack, db)
  await expectTicketMails(dataDir, db)
  // Asking again has a payment looked up at the bank: only what is settled by now counts.
  await expectAllThere(acknowledged, db)
  expect(bank.sessions(), 'sessions that can be paid: one of each order').toHaveLength(acknowledged.length)
  await verify(db)
  expect(refusals).toContain('SOLD_OUT')
  expect(refusals.filter((code) => !['SOLD_OUT', 'HAS_PAID', 'TICKET_CANCELLED'].includes(code))).toEqual([])
})

/** An event where only babies are free, and with vouchers; returns the nth order for it: an adult with one to three others. */
async function openShop(): Promise<(n: number) => Request> {
  const { event, token } = await makeEventAt(SITE)
  const eventId = event.id
  await callAt(SITE, eventApi.save, { id: eventId, ticketPrice: 2500, maxAttendees: PLACES, maxPerEmail: 10 }, token)
  const [first] = (await callAt(SITE, ticketTypeApi.getTicketTypes, { eventId })).payload
  const child = { name: 'Child', price: 1000 }
  const sold = { eventId, ticketTypes: [{ id: first?.id, name: 'Adult' }, child, { name: 'Baby', price: 0 }] }
  const { payload: types } = await callAt(SITE, ticketTypeApi.saveTicketTypes, { payload: sold }, token)
  const drinks = { eventId, name: 'Drinks', description: '', price: 300, maxQuantity: null, content: [] }
  const { payload: extras } = await callAt(SITE, extrasApi.saveExtras, { payload: drinks }, token)
  return (n) => {
    const companions = Array.from({ length: 1 + (n % 3) }, (_, k) =>
      companion({ ticketTypeId: types[(n + k) % 3]?.id ?? 0, extrasIds: (n + k) % 4 === 0 ? [extras.id] : [] }),
    )
    const person = { idempotencyKey: `order ${n}`, extrasIds: n % 2 === 0 ? [extras.id, extras.id] : [] }
    return { ...registrationFor(event, person), companions }
  }
}

function visitors(bank: TestBank, requestOf: (n: number) => Request) {
  const acknowledged: Acknowledged[] = []
  const triedToGiveBack = new Set<number>()
  const refusals: string[] = []

  /** Asks until there is an answer, as somebody does whose connection was lost. Null for a refusal. */
  async function answerTo<T>(ask: () => Promise<T>): Promise<T | null> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (error instanceof Refusal && error.code !== 'UNAVAILABLE') {
          refusals.push(error.code)
          return null
        }
        await until(isServing, PATIENCE_MS, 'the server is back')
      }
    }
  }
  const pay = ({ session }: Acknowledged) => bank.pay(session)
  const giveBack = ({ order: { id: orderId, secret }, people }: Acknowledged) => {
    triedToGiveBack.add(orderId)
    const payload = { orderId, secret, registrationIds: people.map(({ id }) => id) }
    return answerTo(() => callAt(SITE, orderApi.giveBackTickets, { payload }))
  }
  /** What the bank reports of it comes late, when all is over. */
  const payUnheard = (mine: Acknowledged) => {
    bank.behave({ webhooks: 'keep' })
    const paying = pay(mine)
    bank.behave({ webhooks: 'send' })
    return paying
  }
  const payAndComeBack = async (mine: Acknowledged) => {
    await pay(mine)
    return answerTo(() => callAt(SITE, paymentApi.sessionStatus, { sessionId: mine.session }))
  }
  const leaveUnpaid = async () => null
  const payWhileGivingBack = (mine: Acknowledged) => Promise.all([giveBack(mine), pay(mine)])
  const payAndGiveBack = (mine: Acknowledged) => Promise.all([payUnheard(mine), giveBack(mine)])
  const ways = [pay, payAndComeBack, leaveUnpaid, payWhileGivingBack, payAndGiveBack, payUnheard, pay]

  async function visit(n: number): Promise<void> {
    const request = requestOf(n)
    const answer = await answerTo(() => callAt(SITE, registrationApi.initRegistration, request))
    if (!answer) return
    const { order, registrations: people, checkoutUrl } = answer.payload
    const [session] = /cs_test_\w+/.exec(checkoutUrl ?? '') ?? []
    if (!order || !people || !session) throw new Error('An order is answered with the way to pay it.')
    const mine = { request, order, people, session }
    acknowledged.push(mine)
    await ways[n % ways.length]?.(mine)
  }
  return { acknowledged, triedToGiveBack, refusals, visit }
}

const isServing = async () => (await fetch(`${SITE}/readyz`).catch(() => null))?.ok === true

/** Ends the leases of a killed server, which end by themselves after half a minute; once its last statement is over. */
async function endLeases(db: Db): Promise<void> {
  const itsConnections = sql`select from pg_stat_activity where application_name = ${env.PGAPPNAME}`
  const isGone = async () => (await itsConnections.execute(db)).rows.length === 0
  await until(isGone, PATIENCE_MS, 'the database has noticed that the server is gone')
  for (const table of ['payments', 'refunds', 'mails'])
    await sql`update ${sql.table(table)} set locked_until = null`.execute(db)
}

/** Whether no refund, no mail and no event of the bank waits for the server. */
async function isQuiet(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from refunds where status = 'queued' union all select from mails where status = 'queued'
    union all select from stripe_events where handled_at is null
  `.execute(db)
  return rows.length === 0
}

const rowsOf = (db: Db) => db.selectFrom('registrations').selectAll().execute()

/** All people of all answered orders are there and nobody else, also when those who still have their places ask again. */
async function expectAllThere(acknowledged: readonly Acknowledged[], db: Db): Promise<void> {
  const namesOf = (people: readonly Pick<RegistrationRow, 'orderId' | 'id' | 'qrUuid'>[] = []) =>
    people.map(({ orderId, id, qrUuid }) => `${orderId} ${id} ${qrUuid}`)
  const live = new Set((await rowsOf(db)).flatMap(({ id, status }) => (status === 'cancelled' ? [] : id)))
  for (const { request, people } of acknowledged.filter(({ order }) => live.has(order.id))) {
    const { payload } = await callAt(SITE, registrationApi.initRegistration, request)
    expect(namesOf(payload.registrations)).toEqual(namesOf(people))
  }
  expect(namesOf(await rowsOf(db)).sort()).toEqual(namesOf(acknowledged.flatMap(({ people }) => people)).sort())
}

/** At any moment the people of an order share its fate, and there are not more of them than places. */
async function expectNoneSplit(db: Db): Promise<void> {
  const rows = await rowsOf(db)
  const fates = new Set(rows.map(({ orderId, status }) => `${orderId} ${status}`))
  expect(fates.size).toBe(new Set(rows.map(({ orderId }) => orderId)).size)
  expect(rows.filter(({ status }) => status !== 'cancelled').length).toBeLessThanOrEqual(PLACES)
}

/** Our books are those of the bank. A paid order is kept as a whole, or it was given back and so is all of the money. */
async function expectMoneyRight(bank: TestBank, triedToGiveBack: ReadonlySet<number>, db: Db): Promise<void> {
  const { rows } = await sql<{ orderId: number; book: string; fate: string }>`
    select r.order_id, concat_ws(' ', max(p.payment_intent), sum(p.amount), sum(p.refunded)) as book, case
        when bool_and(r.status = 'confirmed') and sum(p.amount) = sum(r.amount) and sum(p.refunded) = 0 then 'kept'
        when bool_and(r.status = 'cancelled') and sum(p.amount) = sum(p.refunded) then 'given back'
        when bool_and(r.status <> 'confirmed') and count(p.id) = 0 then 'unpaid' else 'wrong'
      end as fate
    from registrations r left join payments p on p.registration_id = r.id and p.status = 'paid' group by 1
  `.execute(db)
  const books = bank.ledger().map(({ paymentIntent, charged, refunded }) => `${paymentIntent} ${charged} ${refunded}`)
  const paid = rows.filter(({ fate }) => fate !== 'unpaid')
  expect(paid.map(({ book }) => book).sort()).toEqual(books.sort())
  expect(new Set(rows.map(({ fate }) => fate))).toEqual(new Set(['kept', 'given back', 'unpaid']))
  expect(rows.filter(({ fate, orderId }) => fate === 'given back' && !triedToGiveBack.has(orderId))).toEqual([])
}

/** Each confirmed person is in one ticket mail, all of an order in the same one, and each mail was written once. */
async function expectTicketMails(dataDir: string, db: Db): Promise<void> {
  const confirmed = (await rowsOf(db)).filter(({ status }) => status === 'confirmed')
  const orderOf = new Map(confirmed.map(({ id, orderId }) => [id, orderId]))
  const sent = await db.selectFrom('mails').selectAll().where('status', '=', 'sent').execute()
  const tickets = sent.filter(({ kind }) => kind === 'ticket')
  expect(tickets.map(({ registrationId }) => registrationId).sort()).toEqual([...orderOf.keys()].sort())
  const told = tickets.filter(({ leadId }) => leadId === null).map((lead) => orderOf.get(lead.registrationId ?? 0))
  expect(told.sort()).toEqual([...new Set(orderOf.values())].sort())
  const written = readdirSync(join(dataDir, 'outbox')).filter((name) => name.endsWith('.eml'))
  expect(written).toHaveLength(sent.filter(({ leadId }) => leadId === null).length)
}
