import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { platformApi } from '../../src/contract/platform.ts'
import type { Claim } from '../../src/server/mail/claim-queries.ts'
import { smtpMailer } from '../../src/server/mail/smtp.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { makeFixture, makeRegistration } from './make.ts'
import { startApp, type TestApp } from './start-app.ts'

// Live bindings: the file's `beforeAll` sets them.
export let server: MailServer
export let app: TestApp
export let fixture: Awaited<ReturnType<typeof makeFixture>>
let counter = 0

const START = new Date('2026-11-20T18:00:00.000Z')

/** Starts a mail server and an app that sends to it, for a file; after each test the queue is empty and the clock set back. */
export function setUpMailQueue(): void {
  beforeAll(async () => {
    server = await startMailServer({ withLogin: true })
    app = await startApp({
      settings: { limits: false },
      mailer: smtpMailer(server.url, 'Turnout <tickets@turnout.test>', { patienceMs: 1_000 }),
    })
    fixture = await makeFixture(app)
  })
  afterAll(async () => {
    app.deps.mailer.close()
    await app.stop()
    await server.stop()
  })
  afterEach(async () => {
    app.clock.now = START
    server.refuse(null)
    server.behave('take')
    const { db } = app.deps
    await db.deleteFrom('mails').execute()
    await db.deleteFrom('mailAddresses').execute()
    await db.updateTable('mailState').set({ reason: null, since: null, pausedUntil: null, failures: 0 }).execute()
    server.taken.splice(0)
    server.dropped.splice(0)
  })
}

export const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const mails = () =>
  app.deps.db
    .selectFrom('mails')
    .select(['status', 'attempts', 'lastError', 'registrationId', 'leadId', 'messageId'])
    .orderBy('id')
    .execute()
export const receivers = () => server.taken.flatMap(({ envelope }) => envelope.to)
export const health = async () => (await app.call(platformApi.getHealth, {}, fixture.sudo.token)).mail
export const metrics = async () => (await fetch(`${app.url}/metrics`)).text()
export const register = (email = `reader${++counter}@example.org`, event = fixture.event) =>
  makeRegistration(app, event, { email })
/** Queues a mail without attachments that would have to be drawn: a link for a new password. */
export const reset = async () => {
  const about = { clubId: fixture.club.id, userId: fixture.admin.id, kind: 'password reset' as const }
  const now = app.clock.now
  await app.deps.db
    .insertInto('mails')
    .values({ ...about, runAt: now, createdAt: now })
    .execute()
}

export const claim = (more: Partial<Claim> = {}): Claim => ({
  now: app.clock.now,
  leaseMs: 15_000,
  longestGapMs: 4 * HOUR,
  limit: 20,
  pace: null,
  lastClubId: null,
  ...more,
})

/** Queues this many mails about one registration of a club, a second apart. */
export async function queueFor(registrationId: number, clubId: number, count: number, from = app.clock.now) {
  await sql`
    insert into mails (club_id, registration_id, kind, run_at, created_at)
    select ${clubId}, ${registrationId}, 'registration cancelled', ${from}::timestamptz + n * interval '1 second', ${from}
    from generate_series(1, ${count}) n
  `.execute(app.deps.db)
}
