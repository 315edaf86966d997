import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Payload } from '../../src/contract/endpoint.ts'
import { eventApi } from '../../src/contract/events.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { connect } from '../../src/server/db/connect.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, makeDataDir, serve, until } from '../support/serve.ts'
import { verify } from '../support/verify.ts'

const PORT = 3921
const KILLS = 10
const CLIENTS = 24
const BETWEEN_KILLS = 60
// The test waits for all mails, so they are sent as fast as possible.
const env = { ...OPERATOR, MAIL_PER_MINUTE: '1000000', LIMITS: 'off' }

test('killed ten times during a rush, the server has every registration it acknowledged, and their mails go out', async () => {
  const dataDir = makeDataDir()
  let served = await serve({ port: PORT, env, dataDir })
  const { event } = await makeEventAt(served.url)
  const acknowledged: Registration[] = []
  let isOver = false
  let wanted = 0

  /** One visitor after the other; without an answer, the same request is sent again with the same key, as the web does. */
  async function visitors(client: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      // At most one registration per client ahead of the kill, so that it always hits some, but few enough mails are left.
      await until(async () => isOver || acknowledged.length < wanted, 60_000, 'the server is back')
      const request = registrationFor(event, { idempotencyKey: `${client}-${n}` })
      let answer: Payload<typeof registrationApi.initRegistration> | null = null
      while (answer === null && !isOver) {
        answer = await callAt(served.url, registrationApi.initRegistration, request).then(
          ({ payload }) => payload,
          () => new Promise((resolve) => setTimeout(() => resolve(null), 20)),
        )
      }
      if (answer) acknowledged.push(answer.savedRegistration)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) => visitors(client))

  for (let kill = 1; kill <= KILLS; kill++) {
    const before = acknowledged.length
    wanted = before + BETWEEN_KILLS + CLIENTS
    await until(async () => acknowledged.length >= before + BETWEEN_KILLS, 120_000, 'some more are registered')
    await ended(served.process, 'SIGKILL')
    served = await serve({ port: PORT, env, dataDir })
  }
  isOver = true
  await Promise.all(clients)

  const { payload } = await callAt(served.url, eventApi.getEvent, { eventId: event.id })
  expect(payload.registrationCount).toBeGreaterThanOrEqual(acknowledged.length)
  const mails = () => readdirSync(join(dataDir, 'outbox')).filter((name) => name.endsWith('.eml')).length
  await until(async () => mails() === payload.registrationCount, 400_000, 'every mail has gone out')
  await ended(served.process, 'SIGTERM')

  const embedded = await openEmbedded(dataDir, () => {})
  const db = connect(embedded.connection)
  await verify(db)
  const rows = await db.selectFrom('registrations').select(['id', 'qrUuid', 'name', 'email']).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const lost = acknowledged.filter(({ id, qrUuid, registrationData: { name, email } }) => {
    const row = byId.get(id)
    return !row || row.qrUuid !== qrUuid || row.name !== name || row.email !== email
  })
  expect(lost).toEqual([])
  await db.destroy()
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, 600_000)
