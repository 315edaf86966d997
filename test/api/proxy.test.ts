import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registrationApi } from '../../src/contract/registrations.ts'
import { buildApp } from '../../src/server/app.ts'
import { makeFixture } from '../support/make.ts'
import { tally } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

const MINUTE = 60_000
let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeAll(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
})
// At the start of each test all windows have ended.
beforeEach(() => later(60 * MINUTE))
afterAll(async () => {
  await verify(app.deps.db)
  await app.stop()
})

const later = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const many = (length: number) => Array.from({ length }, (_, n) => n)

let lastAddress = 0

describe('a proxy in front', () => {
  /** A server on the same database whose log is collected. */
  async function startLogging(trustProxy: string[] | boolean) {
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const server = await startApp({ databaseUrl: app.databaseUrl, settings: { trustProxy }, log })
    server.clock.now = app.clock.now
    const ask = (headers: Record<string, string>) =>
      server.raw(
        registrationApi.findTicket,
        { payload: { eventId: fixture.event.id, email: 'a@example.org' } },
        headers,
      )
    return { server, ask, warnings: () => lines.filter((line) => line.includes('count as one')) }
  }

  test('on this machine tells visitors apart without any setting', async () => {
    const { server, ask, warnings } = await startLogging(['loopback'])
    const email = () => `p${++lastAddress}@example.org`
    const asks = many(45).map((n) =>
      server.raw(
        registrationApi.findTicket,
        { payload: { eventId: fixture.event.id, email: email() } },
        { 'x-forwarded-for': `192.0.2.${n}` },
      ),
    )
    expect(await tally(asks)).toEqual({ ok: 45 })
    expect(warnings()).toEqual([])
    await ask({ forwarded: 'for=192.0.2.1' })
    expect(warnings()).toHaveLength(1)
    await server.stop()
  })

  test('on this machine is trusted also where its address is written as IPv6', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const settings = { ...app.deps.settings, trustProxy: ['loopback'] }
    const server = await buildApp({ ...app.deps, settings, log }, { webDir: null, isServing: () => true })
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    for (const remoteAddress of ['::ffff:127.0.0.1', '::1'])
      await server.inject({ url: '/healthz', headers, remoteAddress })
    expect(lines.filter((line) => line.includes('count as one'))).toEqual([])
    await server.inject({ url: '/healthz', headers, remoteAddress: '::ffff:10.0.0.1' })
    expect(lines.filter((line) => line.includes('count as one'))).toHaveLength(1)
    await server.close()
  })

  test('that is not trusted is logged once, with the setting to change', async () => {
    const { server, ask, warnings } = await startLogging(false)
    await ask({ 'x-forwarded-for': '192.0.2.1' })
    await ask({ 'x-forwarded-for': '192.0.2.2' })
    expect(warnings()).toHaveLength(1)
    expect(JSON.parse(warnings()[0] ?? '')).toMatchObject({ level: 50, msg: expect.stringContaining('TRUST_PROXY') })
    expect(warnings()[0]).not.toContain('192.0.2.')
    await server.stop()
  })
})
