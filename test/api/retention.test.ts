import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { statisticsApi } from '../../src/contract/statistics.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { doNextStep, workOnJobs } from '../../src/server/jobs/worker.ts'
import { sweepOutbox } from '../../src/server/mail/outbox.ts'
import { rules } from '../../src/server/retention/limit-queries.ts'
import { queueErasures } from '../../src/server/retention/queries.ts'
import { sweepOld } from '../../src/server/retention/sweep.ts'
import {
  makeEvent,
  makeExtras,
  makeFixture,
  makeForm,
  makeRegistration,
  registrationFor,
  scanOf,
  tokenFor,
} from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { placesOf } from '../support/places-of.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const DAY = 24 * 60 * 60_000
let app: TestApp
let start: Date
// Each test has a database of its own, since the work is on whatever is due.
beforeEach(async () => {
  app = await startApp()
  start = app.clock.now
})
afterEach(() => app.stop())

/** So many days after an event; returns a new session of its admin, since the one from before has ended. */
async function daysAfter({ event, admin }: { event: { endsAt: Date }; admin: { id: number } }, days: number) {
  app.clock.now = new Date(event.endsAt.getTime() + days * DAY)
  return tokenFor(app, admin.id)
}

async function sweep(): Promise<void> {
  await sweepOld(app.deps)
  await workOnJobs(app.deps, jobSteps)
}

/** Sweeps a week before this moment as well, so that what is due now has been announced. */
async function sweepWithNotice(): Promise<void> {
  const { now } = app.clock
  app.clock.now = new Date(now.getTime() - 7 * DAY)
  await sweep()
  app.clock.now = now
  await sweep()
}

const erasedCount = async (eventId: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from registrations where event_id = ${eventId} and erased_at is not null
  `.execute(app.deps.db)
  return rows[0]?.count
}

const person = { name: 'Zyxela Quorvath', email: 'zyxela.quorvath@mail.example', phone: '+493055512399' }

/** An event with one person who answered, was let in, and left traces wherever that is possible. */
async function makeTraces() {
  const fixture = await makeFixture(app)
  const { event, token } = fixture
  const drinks = await makeExtras(app, token, event.id)
  const questions = await makeForm(app, token, event.id, [
    { typeId: 2, text: 'Meal', required: false, options: ['Fish', 'Vegan'] },
    { typeId: 0, text: 'Why?', required: false, options: [] },
  ])
  const others = questions.map(({ id, typeId }) => ({ qId: id, answer: typeId === 2 ? 'Fish' : 'Because Wobblefrock' }))
  const input = { ...registrationFor(event, { ...person, others }), extrasIds: [drinks.id] }
  const { savedRegistration: ticket } = await app.call(registrationApi.initRegistration, input)
  await makeRegistration(app, event, { others: others.map(({ qId }) => ({ qId, answer: 'Vegan' })) })
  await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
  await app.finishMails()
  return { ...fixture, ticket }
}

const figuresOf = async (eventId: number, token: string) => ({
  counts: await app.call(statisticsApi.getStatistics, { eventId, date: '2026-11-27' }, token),
  answers: await app.call(statisticsApi.getAnswerCounts, { eventId }, token),
})

test('so many days after the event nothing of a person is left in any column, and all figures are the same', async () => {
  const traces = await makeTraces()
  const { event, ticket } = traces
  const before = await figuresOf(event.id, traces.token)
  for (const text of ['Quorvath', person.email, '55512399', 'Wobblefrock'])
    expect(await placesOf(app.deps.db, text)).not.toEqual([])
  await daysAfter(traces, 173)
  await sweep()
  await daysAfter(traces, 179)
  await sweep()
  expect(await erasedCount(event.id)).toBe(0)
  const token = await daysAfter(traces, 180)
  await sweep()
  expect(await erasedCount(event.id)).toBe(2)
  for (const text of ['Quorvath', person.email, '55512399', 'Wobblefrock', ticket.qrUuid])
    expect(await placesOf(app.deps.db, text)).toEqual([])
  expect(await figuresOf(event.id, token)).toEqual(before)
})

describe('afterwards', () => {
  test('the ticket says so, and its code is void; staff see no name and can change nothing', async () => {
    const traces = await makeTraces()
    const { event, ticket } = traces
    const token = await daysAfter(traces, 180)
    await sweepWithNotice()
    const held = { registrationId: ticket.id, qrUuid: ticket.qrUuid }
    const refused = await refusalOf(app.call(ticketApi.getRegistration, held), 'NOT_FOUND')
    expect(refused.message).toContain('personal data of this ticket have been deleted')
    await refusalOf(app.call(ticketApi.getTicketPdf, held), 'NOT_FOUND')
    await refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token), 'NOT_FOUND')
    const one = { registrationId: ticket.id, eventId: event.id }
    const status = { id: ticket.id, eventId: event.id, status: 'cancelled' as const }
    const registrationData = { ...person, others: [] }
    const edit = { payload: { id: ticket.id, eventId: event.id, registrationData, extrasIds: [] } }
    for (const call of [
      () => app.call(attendeeApi.updateStatus, { payload: status }, token),
      () => app.call(attendeeApi.save, edit, token),
      () => app.call(attendeeApi.sendTicket, one, token),
      () => app.call(attendeeApi.removeRegistration, one, token),
    ])
      expect((await refusalOf(call(), 'NOT_FOUND')).message).toContain('deleted')
    const many = { eventId: event.id, registrationIds: [ticket.id], action: 'cancel' as const }
    expect(await app.call(attendeeApi.changeMany, { payload: many }, token)).toEqual({ changed: 0, unchanged: 1 })
    const list = { eventId: event.id, searchKeyword: '', sortBy: 'registration' as const, limit: 50 }
    const { attendees } = await app.call(attendeeApi.getAttendees, list, token)
    expect(attendees.map(({ registration }) => registration.registrationData.name)).toEqual(['', ''])
  })

  test('somebody whom staff add later is deleted as well', async () => {
    const traces = await makeTraces()
    const { event } = traces
    const token = await daysAfter(traces, 180)
    await sweepWithNotice()
    const late = { name: 'Latecomer Grimbold', email: '', phone: '', others: [] }
    await app.call(attendeeApi.save, { payload: { eventId: event.id, registrationData: late, extrasIds: [] } }, token)
    app.clock.now = new Date(app.clock.now.getTime() + 7 * DAY)
    await sweepWithNotice()
    expect(await placesOf(app.deps.db, 'Grimbold')).toEqual([])
  })
})

describe('when', () => {
  test('the event’s setting comes before the club’s, 0 is never, and other numbers are refused', async () => {
    const fixture = await makeFixture(app)
    const { event, token, club } = fixture
    expect(club.keepDays).toBe(180)
    const never = await makeEvent(app, token, { keepDays: 0 })
    const early = await makeEvent(app, token, { keepDays: 30 })
    for (const each of [event, never, early]) await makeRegistration(app, each)
    const later = await daysAfter(fixture, 30)
    await sweepWithNotice()
    expect(await Promise.all([event, never, early].map(({ id }) => erasedCount(id)))).toEqual([0, 0, 1])
    await app.call(clubApi.save, { id: club.id, keepDays: 0 }, later)
    const last = await daysAfter(fixture, 4000)
    await sweepWithNotice()
    expect(await erasedCount(event.id)).toBe(0)
    for (const keepDays of [1, 29, 3651, -1, 30.5]) {
      await refusalOf(app.call(clubApi.save, { id: club.id, keepDays }, last), 'INVALID_INPUT')
      await refusalOf(app.call(eventApi.save, { id: event.id, keepDays }, last), 'INVALID_INPUT')
    }
  })

  test('not while money is under way; amounts stay', async () => {
    const fixture = await makeFixture(app)
    const { event } = fixture
    const ticket = await makeRegistration(app, event, person)
    const { db } = app.deps
    const payment = await db
      .insertInto('payments')
      .values({
        ...{ key: crypto.randomUUID(), clubId: event.clubId, eventId: event.id, registrationId: ticket.id },
        ...{
          isEmbedded: false,
          request: JSON.stringify({ customer_email: person.email }),
          status: 'paid',
          amount: 900,
        },
        ...{ currency: 'eur', createdAt: start, expiresAt: start, paidAt: start, dispute: 'needs_response' },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await daysAfter(fixture, 200)
    await sweepWithNotice()
    expect(await erasedCount(event.id)).toBe(0)
    await db.updateTable('payments').set({ dispute: 'won' }).where('id', '=', payment.id).execute()
    const refund = { paymentId: payment.id, amount: 100, reason: 'staff' as const, runAt: start, createdAt: start }
    const { id } = await db.insertInto('refunds').values(refund).returning('id').executeTakeFirstOrThrow()
    await sweep()
    expect(await erasedCount(event.id)).toBe(0)
    // Failed for good: the person has to be asked where the money should go.
    await db.updateTable('refunds').set({ status: 'failed' }).where('id', '=', id).execute()
    await sweep()
    expect(await erasedCount(event.id)).toBe(0)
    await db.updateTable('refunds').set({ status: 'done' }).where('id', '=', id).execute()
    await sweep()
    expect(await erasedCount(event.id)).toBe(1)
    expect(await placesOf(app.deps.db, person.email)).toEqual([])
    expect(await db.selectFrom('payments').select('amount').where('id', '=', payment.id).execute()).toEqual([
      { amount: 900 },
    ])
  })

  test('a job in progress stops when the event is kept for longer', async () => {
    const fixture = await makeFixture(app)
    const { event } = fixture
    await makeRegistration(app, event)
    const token = await daysAfter(fixture, 180)
    await queueErasures(app.deps.db, new Date(app.clock.now.getTime() - 7 * DAY))
    await queueErasures(app.deps.db, app.clock.now)
    await app.call(eventApi.save, { id: event.id, keepDays: 0 }, token)
    await workOnJobs(app.deps, jobSteps)
    expect(await erasedCount(event.id)).toBe(0)
  })

  test('a mistyped date or number can be corrected for seven days, each time anew', async () => {
    const fixture = await makeFixture(app)
    const { event, club } = fixture
    await makeRegistration(app, event)
    const token = await daysAfter(fixture, 60)
    const mistype = () => app.call(clubApi.save, { id: club.id, keepDays: 30 }, token)
    const pass = async (days: number) => {
      app.clock.now = new Date(app.clock.now.getTime() + days * DAY)
      await sweep()
    }
    await mistype()
    await pass(0)
    await pass(6)
    await app.call(clubApi.save, { id: club.id, keepDays: 180 }, token)
    await pass(0.1)
    await mistype()
    await pass(0.1)
    await pass(6.9)
    expect(await erasedCount(event.id)).toBe(0)
    await pass(0.1)
    expect(await erasedCount(event.id)).toBe(1)
  })
})

test('in short steps, which another server goes on with; two at once do it once', async () => {
  const fixture = await makeFixture(app)
  const { event } = fixture
  const [meal] = await makeForm(app, fixture.token, event.id, [
    { typeId: 2, text: 'Meal', required: false, options: ['Fish'] },
  ])
  await makeRegistration(app, event, { others: [{ qId: meal?.id ?? 0, answer: 'Fish' }] })
  await sql`
    insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, amount, currency)
    select event_id, club_id, gen_random_uuid(), 'Person ' || n, n || '@many.example', '', others, '', registration_time, 'confirmed', 0, 'eur'
    from registrations, generate_series(1, 600) n where event_id = ${event.id}
  `.execute(app.deps.db)
  const other = await app.another()
  const token = await daysAfter(fixture, 180)
  other.clock.now = app.clock.now
  await queueErasures(app.deps.db, new Date(app.clock.now.getTime() - 7 * DAY))
  await Promise.all([queueErasures(app.deps.db, app.clock.now), queueErasures(other.deps.db, app.clock.now)])
  const { rows } = await sql`select from jobs where event_id = ${event.id}`.execute(app.deps.db)
  expect(rows).toHaveLength(1)
  await doNextStep(app.deps, jobSteps)
  expect(await erasedCount(event.id)).toBe(250)
  await Promise.all([workOnJobs(app.deps, jobSteps), workOnJobs(other.deps, jobSteps)])
  await workOnJobs(app.deps, jobSteps)
  expect(await erasedCount(event.id)).toBe(601)
  const [counts] = await app.call(statisticsApi.getAnswerCounts, { eventId: event.id }, token)
  expect(counts).toMatchObject({ answered: 601, options: [{ option: 'Fish', count: 601 }] })
  await other.stop()
})

describe('limits of logs', () => {
  test('every table belongs to something that goes, or has a limit', async () => {
    const { rows } = await sql<{ name: string }>`
      select t.table_name as name from information_schema.tables t
      where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and t.table_name not like 'kysely%' order by 1
    `.execute(app.deps.db)
    const limited = new Set(rules.map(({ table }) => table))
    // Deleted with the event, club or person they belong to, by their own time, of a fixed number, or not used any more.
    const others =
      `api_tokens backup_state checkins club_members clubs codes door_phones erased_answers event_counts event_descriptions events extras extras_purchases form_questions
      former_holders former_users heartbeats club_import_parts image_orphans income_counts installation jobs limit_counts mail_state member_lists moved_codes new_addresses orders pages passkey_challenges passkeys password_resets payments purchase_units recovery_codes
      refunds registrations second_factors server_secrets sessions sign_in_tries ticket_types unpaid_holds used_proofs users voucher_counts walk_in_quotas webhooks`.split(
        /\s+/,
      )
    expect(rows.map(({ name }) => name).filter((name) => !limited.has(name))).toEqual(others.sort())
  })

  test('a row is there until its days have passed', async () => {
    const { event, token } = await makeTraces()
    await app.call(eventApi.save, { id: event.id, keepDays: 0 }, token)
    const { db } = app.deps
    const count = async (table: string) =>
      Number((await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db)).rows[0]?.n)
    await sql`insert into stripe_events (id, body, received_at, run_at, handled_at) values
      ('evt_done', '{}', ${start}, ${start}, ${start}), ('evt_waits', '{}', ${start}, ${start}, null)`.execute(db)
    for (const [table, days] of [
      ['stripe_events', 90],
      ['scans', 90],
      ['mails', 400],
      ['changes', 3650],
    ] as const) {
      const at = await count(table)
      app.clock.now = new Date(start.getTime() + (days - 1) * DAY)
      await sweepOld(app.deps)
      const before = await count(table)
      expect([table, before > 0]).toEqual([table, at > 0])
      app.clock.now = new Date(start.getTime() + (days + 1) * DAY)
      await sweepOld(app.deps)
      expect([table, await count(table)]).toEqual([table, table === 'stripe_events' ? 1 : 0])
    }
  })

  test('the outbox loses old mails, and nothing else', async () => {
    const folder = join(app.dataDir, 'outbox')
    mkdirSync(folder, { recursive: true })
    for (const name of ['old.eml', 'new.eml', 'notes.txt']) writeFileSync(join(folder, name), 'x')
    const old = new Date(Date.now() - 31 * DAY)
    for (const name of ['old.eml', 'notes.txt']) utimesSync(join(folder, name), old, old)
    expect(await sweepOutbox(app.dataDir, new Date(Date.now() - 30 * DAY))).toBe(1)
    expect(readdirSync(folder).sort()).toEqual(['new.eml', 'notes.txt'])
    expect(await sweepOutbox(join(app.dataDir, 'nowhere'), new Date())).toBe(0)
  })
})
