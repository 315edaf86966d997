import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { connect } from '../../src/server/db/connect.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, makeDataDir, type Served, serve, until } from '../support/serve.ts'
import { verify } from '../support/verify.ts'
import { startTestBank } from '../test-bank/test-bank.ts'

const KILLS = 8
const CLIENTS = 8
const PORTS = [4047, 4048] as const

test('two servers killed again and again while people pay and get money back leave no charge without its ticket or refund', async () => {
  const dataDir = makeDataDir()
  const embedded = await openEmbedded(dataDir, () => {})
  const { host, user, password, database } = embedded.connection
  const databaseUrl = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`
  const bank = await startTestBank({ ...bankKeys, webhookUrl: `http://127.0.0.1:${PORTS[0]}/api/stripe/webhook` })
  const env = {
    ...OPERATOR,
    LIMITS: 'off',
    DATABASE_URL: databaseUrl,
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  const start = (port: number) => serve({ port, env })
  const servers: Served[] = [await start(PORTS[0]), await start(PORTS[1])]
  const url = (n: number) => `http://127.0.0.1:${PORTS[n % 2 === 0 ? 0 : 1]}`
  const { event, token } = await makeEventAt(url(0))
  await callAt(url(0), eventApi.save, { id: event.id, ticketPrice: 1500, maxAttendees: 400 }, token)
  let isOver = false
  let acted = 0

  /** One visitor after the other: registers, usually pays, and may return from the bank; some get a refund. */
  async function visitors(client: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const server = url(client + n)
      try {
        const { payload } = await callAt(server, registrationApi.initRegistration, registrationFor(event))
        const { id: registrationId } = payload.savedRegistration
        const sessionId = /cs_test_\w+/.exec(payload.checkoutUrl ?? '')?.[0]
        if (!sessionId || n % 4 === 3) continue
        await bank.pay(sessionId)
        if (n % 2 === 0) await callAt(server, paymentApi.sessionStatus, { sessionId })
        if (n % 3 === 0)
          await callAt(server, paymentApi.refund, { payload: { registrationId, eventId: event.id } }, token)
      } catch {
        // The server is down at the moment.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      acted++
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) => visitors(client))
  for (let kill = 0; kill < KILLS; kill++) {
    const before = acted
    await until(async () => acted >= before + 12, 120_000, 'a dozen more have come')
    const which = kill % 2
    const server = servers[which]
    if (server) await ended(server.process, 'SIGKILL')
    servers[which] = await start(PORTS[which === 0 ? 0 : 1])
  }
  isOver = true
  await Promise.all(clients)
  await bank.settled()
  for (const { id, delivered } of bank.events) if (delivered === 0) expect(await bank.deliver(id)).toBe(200)

  const db = connect(databaseUrl)
  const queued = () => db.selectFrom('refunds').select('id').where('status', '=', 'queued').execute()
  await until(async () => (await queued()).length === 0, 300_000, 'every refund is made')
  for (const server of servers) await ended(server.process, 'SIGTERM')
  await verify(db)
  const ours = await db.selectFrom('payments').selectAll().where('status', '=', 'paid').execute()
  const books = (rows: readonly { paymentIntent: string | null; charged: number; refunded: number }[]) =>
    rows.map(({ paymentIntent, charged, refunded }) => `${paymentIntent} ${charged} ${refunded}`).sort()
  expect(books(ours.map((row) => ({ ...row, charged: row.amount })))).toEqual(books(bank.ledger()))
  expect(ours.length).toBeGreaterThan(20)
  await db.destroy()
  await embedded.stop()
  await bank.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, 600_000)
