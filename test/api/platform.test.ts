import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { platformApi } from '../../src/contract/platform.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { doNextStep } from '../../src/server/jobs/worker.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeEach(async () => {
  app = await startApp()
  fixture = await makeFixture(app)
})
afterEach(() => app.stop())

const status = () => app.call(platformApi.getStatus, {}, fixture.sudo.token)

test('the operator reads how server, database and disk are, and nobody else does', async () => {
  const { server, database, disk, mail, stripe, jobs, baseUrl } = await status()
  expect(server).toMatchObject({ node: process.versions.node, stuck: [] })
  expect(server.memory).toBeGreaterThan(10_000_000)
  expect(server.workers).toBe(1)
  expect(server.startedAt.getTime()).toBeLessThan(Date.now())
  expect(database.version).toMatch(/^\d+/)
  expect(database.size).toBeGreaterThan(1_000_000)
  expect(database.connections).toBeGreaterThan(0)
  expect(database.mostConnections).toBeGreaterThan(database.connections)
  expect(disk?.free).toBeLessThanOrEqual(disk?.total ?? 0)
  expect({ mail, stripe, jobs }).toEqual({ mail: { isSent: false, lastFailure: null }, stripe: null, jobs: [] })
  expect(baseUrl).toBe(app.deps.settings.baseUrl)
  await refusalOf(app.call(platformApi.getStatus, {}, fixture.token), 'NOT_ALLOWED')
})

test('a statement that runs for long is named without its values', async () => {
  const running = app.deps.db.connection().execute((db) => sql`select pg_sleep(3), ${'secret'}::text`.execute(db))
  const seen = await expect
    .poll(async () => (await status()).database.slow, { timeout: 10_000 })
    .toMatchObject([{ text: 'select pg_sleep(3), $1::text' }])
    .then(() => status())
  expect(JSON.stringify(seen.database.slow)).not.toContain('secret')
  await running
})

test('work in the background is listed with what is left of it; a failing step with its reason, until it is tried again', async () => {
  const { club, event, token, sudo } = fixture
  for (let n = 0; n < 3; n++) await makeRegistration(app, event)
  await app.call(eventApi.removeEvent, { eventId: event.id }, token)
  const about = { eventName: event.name, clubName: club.name, kind: 'remove event', left: 3 }
  const { jobs } = await status()
  expect(jobs).toMatchObject([{ ...about, failure: null }])
  const fail = async () => {
    throw new Error('no space left')
  }
  await doNextStep(app.deps, { ...jobSteps, 'remove event': fail })
  const [failing] = (await status()).jobs
  const failure = { attempts: 1, reason: 'no space left', tryAgainAt: new Date(app.clock.now.getTime() + 1_000) }
  expect(failing).toMatchObject({ ...about, failure })
  expect(await doNextStep(app.deps, jobSteps)).toBe(false)
  await app.call(platformApi.retryJob, { jobId: failing?.id ?? 0 }, sudo.token)
  expect(await doNextStep(app.deps, jobSteps)).toBe(true)
  expect((await status()).jobs).toMatchObject([{ ...about, left: 0, failure: null }])
  await app.finishMails()
  expect((await status()).jobs).toEqual([])
  await refusalOf(app.call(platformApi.retryJob, { jobId: failing?.id ?? 0 }, sudo.token), 'NOT_FOUND')
  await refusalOf(app.call(platformApi.retryJob, { jobId: 1 }, token), 'NOT_ALLOWED')
})

test('a club that is removed is listed with the registrations of all its events', async () => {
  const { club, event, sudo } = fixture
  await makeRegistration(app, event)
  await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
  expect((await status()).jobs).toMatchObject([{ kind: 'remove club', eventName: null, clubName: club.name, left: 1 }])
})

test('a test mail goes to the operator at once, past the queue; what the mail server says against it is told', async () => {
  const { sudo } = fixture
  const result = await app.call(platformApi.sendTestMail, {}, sudo.token)
  expect(result.failure).toBeNull()
  expect(app.sent).toMatchObject([{ to: result.to, subject: expect.stringMatching(/^Test mail of /) }])
  const send = app.deps.mailer.send
  app.deps.mailer.send = async () => {
    throw new Error('550 5.1.1 <somebody@example.org>: no such user')
  }
  const refused = await app.call(platformApi.sendTestMail, {}, sudo.token)
  app.deps.mailer.send = send
  expect(refused.failure).toBe('550 5.1.1 <…>: no such user')
  await refusalOf(app.call(platformApi.sendTestMail, {}, fixture.token), 'NOT_ALLOWED')
})
