import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi } from '../../src/contract/door.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { makeFixture, makeRegistration, scanOf } from '../support/make.ts'
import { countOutcomes } from '../support/outcomes.ts'
import { BASE_URL, startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
})
afterEach(() => app.stop())

test('one ticket scanned 50 times at once at two servers lets one person in', async () => {
  const { event, token } = await makeFixture(app)
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
  const { event, token } = await makeFixture(app)
  const scan = scanOf(await makeRegistration(app, event), event.id, randomUUID())

  const counts = await countOutcomes(
    Array.from({ length: 20 }, () => app.call(checkinApi.scanByRegistrationId, scan, token)),
  )

  expect(counts).toEqual({ ok: 20 })
  await verify(app.deps.db)
})

test('two phones without network with the same 60 tickets, sent to two servers at once: 60 check-ins, 60 conflicts', async () => {
  const { event, token } = await makeFixture(app)
  const tickets = await Promise.all(Array.from({ length: 60 }, () => makeRegistration(app, event)))
  const servers = [app, await app.another()]
  const phones = ['Gate A', 'Gate B'].map((name, n) => {
    const inOrder = n === 0 ? tickets : [...tickets].reverse()
    const scans = inOrder.map((ticket) => ({
      scanId: randomUUID(),
      act: { kind: 'code' as const, qrCodeData: ticketUrl(BASE_URL, ticket) },
      agoMs: 0,
      wasShownIn: true,
    }))
    return { eventId: event.id, device: { id: name, name }, scans }
  })

  // Each phone sends everything three times, as if its answers were lost.
  const sent = [0, 1, 2].flatMap((n) =>
    phones.map((payload, phone) => (servers[(n + phone) % 2] ?? app).call(doorApi.syncScans, { payload }, token)),
  )
  const answers = await Promise.all(sent)

  const won = (phone: number) => answers.filter((_, n) => n % 2 === phone).map((each) => each.answers)
  for (const phone of [0, 1]) for (const again of won(phone)) expect(again).toEqual(won(phone)[0])
  const codes = [...(won(0)[0] ?? []), ...(won(1)[0] ?? [])].map(({ code }) => code)
  expect(codes.filter((code) => code === null)).toHaveLength(60)
  expect(codes.filter((code) => code === 'ALREADY_CHECKED_IN')).toHaveLength(60)
  expect(await app.call(doorApi.getConflicts, { eventId: event.id }, token)).toHaveLength(60)
  await verify(app.deps.db)
})
