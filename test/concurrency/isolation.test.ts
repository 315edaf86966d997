import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import type { Tx } from '../../src/server/db/schema.ts'
import { makeEvent, makeFixture, makeMember, makeRegistration, registrationFor, scanOf } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'
import { countWaiting } from '../support/waiting.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ settings: { limits: false } })
})
afterAll(() => app.stop())

const register = (event: Event, person: Parameters<typeof registrationFor>[1] = {}) =>
  app.call(registrationApi.initRegistration, registrationFor(event, person))

/** Runs `work` in a transaction and keeps it open until the returned function is called. */
async function holding(work: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const other = await app.another()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  const transaction = other.deps.db.transaction().execute(async (tx) => {
    await work(tx)
    isHeld = true
    await released
  })
  await until(async () => isHeld, 10_000, 'the transaction holds what it should')
  return async () => {
    release()
    await transaction
  }
}

test('a locked event delays only its own visitors and door', async () => {
  const { event, token } = await makeFixture(app)
  const others = await Promise.all(Array.from({ length: 12 }, () => makeEvent(app, token)))
  const ids = others.map(({ id }) => id)
  const ticket = await makeRegistration(app, event)
  const release = await holding((tx) =>
    tx.selectFrom('events').select('id').where('id', 'in', ids).forUpdate().execute(),
  )
  let waiting = others.length
  const blocked = others.map((other) => register(other).finally(() => waiting--))
  await until(async () => (await countWaiting(app.deps.db)) >= 4, 10_000, 'the locked events are waited for')

  const outcomes = await countOutcomes(Array.from({ length: 40 }, () => register(event)))
  expect(outcomes).toEqual({ ok: 40 })
  await app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token)
  expect(waiting).toBe(others.length)

  await release()
  expect((await Promise.all(blocked)).map(({ savedRegistration }) => savedRegistration.status)).toEqual(
    others.map(() => 'confirmed'),
  )
  await verify(app.deps.db)
})

test('two rows that only the database’s rule sees as one person do not fail the others in their batch', async () => {
  const { event } = await makeFixture(app)
  // These differ in JavaScript's lower case, but not in PostgreSQL's.
  const twins = ['İx', 'ix'].map((name) => register(event, { name, email: 'twin@example.org' }))
  const strangers = Array.from({ length: 20 }, () => register(event))
  expect(await countOutcomes(strangers)).toEqual({ ok: 20 })
  expect(await countOutcomes(twins)).toEqual({ ok: 1, ALREADY_REGISTERED: 1 })
  await verify(app.deps.db)
})

test('simultaneous registrations of a person are both refused as sold out when the event is full', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 1 })
  await makeRegistration(app, event)
  const twins = ['Ana', 'ana'].map((name) => register(event, { name, email: 'twin@example.org' }))
  expect(await countOutcomes(twins)).toEqual({ SOLD_OUT: 2 })
})

test('the idempotency key "null" is a key like any other', async () => {
  const { event } = await makeFixture(app)
  await register(event, { idempotencyKey: 'null' })
  const asked = [register(event, { idempotencyKey: 'null' }), ...Array.from({ length: 5 }, () => register(event))]
  expect(await countOutcomes(asked)).toEqual({ ok: 5, IDEMPOTENCY_MISMATCH: 1 })
})

test('a scan at an event that is removed meanwhile finds nothing', async () => {
  const { event, token } = await makeFixture(app)
  const ticket = await makeRegistration(app, event)
  const remove = await holding((tx) => tx.deleteFrom('events').where('id', '=', event.id).execute())
  const scan = refusalOf(app.call(checkinApi.scanByRegistrationId, scanOf(ticket), token), 'NOT_FOUND')
  await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'the scan waits for the removal')
  await remove()
  await scan
})

test('staff who are removed while they work are asked to sign in', async () => {
  const { club, token: owner } = await makeFixture(app)
  const { member, token } = await makeMember(app, { clubId: club.id, token: owner }, 'manager')
  const remove = await holding((tx) => tx.deleteFrom('users').where('id', '=', member.id).execute())
  const startsAt = new Date('2026-12-01T18:00:00Z')
  const endsAt = new Date('2026-12-01T20:00:00Z')
  const saving = app.call(eventApi.save, { name: 'Quiz', startsAt, endsAt, status: 'draft' }, token)
  const refused = refusalOf(saving, 'SIGN_IN_NEEDED')
  await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'saving waits for the removal')
  await remove()
  await refused
})

test('a session that outlived the removal of its club is invalid', async () => {
  const { club, token } = await makeFixture(app)
  await app.deps.db.updateTable('clubs').set({ removedAt: app.clock.now }).where('id', '=', club.id).execute()
  await refusalOf(app.call(eventApi.getAllEvents, { clubId: club.id }, token), 'SIGN_IN_NEEDED')
})

test('a deadlock between two calls is retried and not visible', async () => {
  const { event, token } = await makeFixture(app)
  // The other transaction holds the ticket types and then wants the event; registering holds the event and then wants its ticket type.
  let lockEvent = async () => {}
  const release = await holding(async (tx) => {
    await tx.selectFrom('ticketTypes').select('id').where('eventId', '=', event.id).forUpdate().execute()
    lockEvent = async () =>
      void (await tx.selectFrom('events').select('id').where('id', '=', event.id).forUpdate().execute())
  })
  const registering = register(event)
  await until(async () => (await countWaiting(app.deps.db)) > 0, 10_000, 'the registration waits for its ticket type')
  const outcome = await lockEvent().then(
    () => 'ok',
    (error: unknown) => (typeof error === 'object' && error !== null && 'code' in error ? error.code : error),
  )
  await release().catch(() => {})
  expect((await registering).savedRegistration.status).toBe('confirmed')
  expect(['ok', '40P01']).toContain(outcome)
  expect(await app.call(eventApi.getEvent, { eventId: event.id }, token)).toMatchObject({ registrationCount: 1 })
})
