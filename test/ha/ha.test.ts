import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { connect } from '../../src/server/db/connect.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, serve, until } from '../support/serve.ts'
import { verify } from '../support/verify.ts'
import { startTestBank } from '../test-bank/test-bank.ts'
import { type Cluster, crash, type Node, partition, pause, startCluster } from './patroni.ts'

// `npm run faults:ha`: what is acknowledged while the primary is killed, paused and cut off is there afterwards.

const ROUNDS = Number(process.env.HA_ROUNDS ?? 10)
/** The event of Stripe that says that somebody has paid. */
const PAID = 'checkout.session.completed'
const PORTS = [4141, 4142] as const
const url = (n: number) => `http://127.0.0.1:${PORTS[n % 2 === 0 ? 0 : 1]}`

/** Something that happens to the primary; the function that it returns makes it whole again. */
const faults: Readonly<Record<string, (node: Node, cluster: Cluster) => () => void>> = {
  killed: (node, cluster) => {
    crash(node)
    return () => cluster.restart(node)
  },
  paused: (node) => pause(node),
  'cut off': (node) => partition(node),
}

test('the primary is killed, paused and cut off during a rush: nothing acknowledged is lost, and service comes back by itself', async () => {
  const cluster = await startCluster()
  const stops: (() => Promise<unknown>)[] = [() => cluster.stop()]
  try {
    await cluster.whole()
    const bank = await startTestBank({ ...bankKeys, webhookUrl: `${url(0)}/api/stripe/webhook` })
    stops.push(() => bank.stop())
    const env = {
      ...OPERATOR,
      ...{ LIMITS: 'off', BACKUPS: 'off', DATABASE_URL: cluster.databaseUrl, SMTP_URL: 'smtp://127.0.0.1:9' },
      ...{
        STRIPE_SECRET_KEY: bankKeys.secretKey,
        STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
        STRIPE_API_BASE: bank.url,
      },
    }
    for (const port of PORTS) {
      const served = await serve({ port, env })
      stops.push(() => ended(served.process, 'SIGTERM'))
    }
    const { event, token } = await makeEventAt(url(0))
    const { id: _, ...fields } = event
    const paid = (
      await callAt(
        url(0),
        eventApi.save,
        { name: 'Paid', startsAt: fields.startsAt, endsAt: fields.endsAt, ticketPrice: 1500, status: 'published' },
        token,
      )
    ).payload

    const registered = new Map<number, Registration>()
    const letIn = new Set<number>()
    let isOver = false
    let acted = 0

    /** Tries until it is answered, at one server after the other: an answer that never came says nothing. */
    async function untilAnswered<T>(work: (server: string) => Promise<T>): Promise<T | null> {
      for (let n = 0; !isOver; n++) {
        try {
          const answer = await work(url(n))
          acted++
          return answer
        } catch {
          await wait(100)
        }
      }
      return null
    }

    async function visitor(): Promise<void> {
      while (!isOver) {
        const request = { ...registrationFor(event), idempotencyKey: randomUUID() }
        const answer = await untilAnswered((server) => callAt(server, registrationApi.initRegistration, request))
        if (!answer) return
        const { savedRegistration } = answer.payload
        registered.set(savedRegistration.id, savedRegistration)
      }
    }

    async function door(): Promise<void> {
      while (!isOver) {
        const next = [...registered.values()].find(({ id }) => !letIn.has(id))
        if (!next) {
          await wait(100)
          continue
        }
        const payload = { qrCodeData: ticketUrl(url(0), next), eventId: event.id, scanId: randomUUID() }
        if (await untilAnswered((server) => callAt(server, checkinApi.scanByRegistrationId, { payload }, token)))
          letIn.add(next.id)
      }
    }

    async function payer(): Promise<void> {
      for (let n = 0; !isOver; n++) {
        const request = { ...registrationFor(paid), idempotencyKey: randomUUID() }
        const answer = await untilAnswered((server) => callAt(server, registrationApi.initRegistration, request))
        const sessionId = /cs_test_\w+/.exec(answer?.payload.checkoutUrl ?? '')?.[0]
        if (!answer || !sessionId) continue
        await bank.pay(sessionId)
        const { id: registrationId } = answer.payload.savedRegistration
        if (n % 3 === 0)
          await callAt(url(n), paymentApi.refund, { payload: { registrationId, eventId: paid.id } }, token).catch(
            () => {},
          )
      }
    }

    /** What was acknowledged before this call and is not in the database. */
    async function lost(): Promise<{ registered: number[]; letIn: number[]; told: string[] }> {
      const paidFor = bank.events.filter(({ type, delivered }) => type === PAID && delivered > 0).map(({ id }) => id)
      const acknowledged = { registered: [...registered.keys()], letIn: [...letIn], told: paidFor }
      const db = connect(cluster.databaseUrl, { isPatient: true })
      try {
        const rows = await db.selectFrom('registrations').select('id').where('status', '=', 'confirmed').execute()
        const confirmed = new Set(rows.map(({ id }) => id))
        const checkins = await db.selectFrom('checkins').select('registrationId').where('status', '=', true).execute()
        const inside = new Set(checkins.map(({ registrationId }) => registrationId))
        const events = await db.selectFrom('stripeEvents').select('id').execute()
        const known = new Set(events.map(({ id }) => id))
        return {
          registered: acknowledged.registered.filter((id) => !confirmed.has(id)),
          letIn: acknowledged.letIn.filter((id) => !inside.has(id)),
          told: acknowledged.told.filter((id) => !known.has(id)),
        }
      } finally {
        await db.destroy()
      }
    }
    const nothing = { registered: [], letIn: [], told: [] }
    const explain = async (error: unknown) => {
      console.log('Lost when it failed:', await lost().catch(String))
      console.log(await cluster.report())
      throw error
    }

    const clients = [...Array.from({ length: 4 }, visitor), door(), payer(), payer()]
    const outages: string[] = []
    async function allRounds(): Promise<void> {
      for (let round = 0; round < ROUNDS; round++) {
        const [name = '', fault = pause] = Object.entries(faults)[round % 3] ?? []
        const before = acted
        await until(async () => acted >= before + 30, 180_000, 'some more have come')
        const primary = await cluster.whole()
        const begun = performance.now()
        console.log(`round ${round + 1}: ${primary.name} is ${name}`)
        const heal = fault(primary, cluster)
        await until(
          async () => {
            const next = await cluster.primary()
            return next !== null && next !== primary
          },
          180_000,
          'there is another primary',
          500,
        )
        const at = acted
        await until(async () => acted >= at + 5, 180_000, 'it is answered again')
        outages.push(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`)
        heal()
        await cluster.whole()
        // What a paused primary undoes is missing only now.
        expect(await lost()).toEqual(nothing)
        console.log(`${outages.at(-1)}; whole after ${((performance.now() - begun) / 1000).toFixed(0)} s, nothing lost`)
      }
    }
    try {
      // A client that fails ends the rounds at once; the others end when it is over.
      await Promise.race([allRounds(), Promise.all(clients)]).catch(explain)
    } finally {
      isOver = true
      await Promise.allSettled(clients)
    }
    await bank.settled()
    for (const { id, delivered } of bank.events) if (delivered === 0) expect(await bank.deliver(id)).toBe(200)

    const db = connect(cluster.databaseUrl, { isPatient: true })
    try {
      const queued = () => db.selectFrom('refunds').select('id').where('status', '=', 'queued').execute()
      await until(async () => (await queued()).length === 0, 300_000, 'every refund is made')
      await verify(db)
      expect(await lost()).toEqual(nothing)
      const ours = await db.selectFrom('payments').selectAll().where('status', '=', 'paid').execute()
      const books = (all: readonly { paymentIntent: string | null; charged: number; refunded: number }[]) =>
        all.map(({ paymentIntent, charged, refunded }) => `${paymentIntent} ${charged} ${refunded}`).sort()
      expect(books(ours.map((row) => ({ ...row, charged: row.amount })))).toEqual(books(bank.ledger()))
      console.log(
        `${registered.size} registered, ${letIn.size} let in, ${ours.length} paid; back after ${outages.join(', ')}`,
      )
    } finally {
      await db.destroy()
    }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
})
