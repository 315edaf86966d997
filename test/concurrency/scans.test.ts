import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { makeRegistration, makeWorld, scanOf } from '../support/make.ts'
import { countOutcomes } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('one ticket scanned 50 times at once at two servers lets one person in', async () => {
  const { event, token } = await makeWorld(app)
  const registration = await makeRegistration(app, event)
  const servers = [app, await app.another()]

  const counts = await countOutcomes(
    Array.from({ length: 50 }, (_, n) =>
      (servers[n % 2] ?? app).call(checkinApi.scanByRegistrationId, scanOf(registration), token),
    ),
  )

  expect(counts).toEqual({ ok: 1, ALREADY_CHECKED_IN: 49 })
  await verify(app.deps.db)
})

test('the same scan sent 20 times at once is one scan: every answer is a success', async () => {
  const { event, token } = await makeWorld(app)
  const scan = scanOf(await makeRegistration(app, event), event.id, randomUUID())

  const counts = await countOutcomes(
    Array.from({ length: 20 }, () => app.call(checkinApi.scanByRegistrationId, scan, token)),
  )

  expect(counts).toEqual({ ok: 20 })
  await verify(app.deps.db)
})
