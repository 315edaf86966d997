import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { makeFixture, registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { atOnce, countOutcomes } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp({ settings: { limits: false } })
})
afterEach(() => app.stop())

const many = (count: number) => Array.from({ length: count }, (_, n) => n)

test('2,000 visitors at two servers, 200 at a time, get exactly the 500 seats there are', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 500 })
  const servers = [app, await app.another()]

  const counts = await countOutcomes(
    atOnce(many(2000), 200, (n) =>
      (servers[n % 2] ?? app).call(registrationApi.initRegistration, registrationFor(event)),
    ),
  )

  expect(counts).toEqual({ ok: 500, SOLD_OUT: 1500 })
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 500 })
  await verify(app.deps.db)
}, 60_000)

test('one person who registers 100 times at once at two servers is registered once, and takes one seat', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 50 })
  const servers = [app, await app.another()]
  const person = { name: 'Ada Lovelace', email: 'ada@example.org' }

  const counts = await countOutcomes(
    atOnce(many(100), 100, (n) =>
      (servers[n % 2] ?? app).call(registrationApi.initRegistration, registrationFor(event, person)),
    ),
  )

  expect(counts).toEqual({ ok: 1, ALREADY_REGISTERED: 99 })
  expect(await app.call(eventApi.getEvent, { eventId: event.id })).toMatchObject({ registrationCount: 1 })
  await verify(app.deps.db)
})

test('a duplicate does not use up the last seat', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 2 })
  const ada = { name: 'Ada', email: 'ada@example.org' }
  await app.call(registrationApi.initRegistration, registrationFor(event, ada))

  const counts = await countOutcomes([
    ...many(20).map(() => app.call(registrationApi.initRegistration, registrationFor(event, ada))),
    app.call(registrationApi.initRegistration, registrationFor(event)),
  ])

  expect(counts).toEqual({ ok: 1, ALREADY_REGISTERED: 20 })
})

test('the same idempotency key 50 times at once has one effect, and every answer is the same ticket', async () => {
  const { event } = await makeFixture(app, { maxAttendees: 50 })
  const servers = [app, await app.another()]
  const request = registrationFor(event, { idempotencyKey: 'one-tap' })

  const answers = await Promise.all(
    many(50).map((n) => (servers[n % 2] ?? app).call(registrationApi.initRegistration, request)),
  )

  expect(new Set(answers.map(({ savedRegistration }) => savedRegistration.qrUuid)).size).toBe(1)
  await verify(app.deps.db)
})

test('several events filled at once at two servers each keep to their own capacity', async () => {
  const { token } = await makeFixture(app)
  const { makeEvent } = await import('../support/make.ts')
  const events = await Promise.all(many(4).map((n) => makeEvent(app, token, { maxAttendees: 10 + n })))
  const servers = [app, await app.another()]

  const counts = await countOutcomes(
    atOnce(many(400), 100, (n) => {
      const event = events[n % 4]
      if (!event) throw new Error('There are four events.')
      return (servers[n % 2] ?? app).call(registrationApi.initRegistration, registrationFor(event))
    }),
  )

  expect(counts).toEqual({ ok: 46, SOLD_OUT: 354 })
  await verify(app.deps.db)
})

test('2,000 orders of one to six people at two servers get all of their seats or none, and none is left that would have done', async () => {
  const { event, token } = await makeFixture(app, { maxAttendees: 500, maxPerEmail: 10 })
  const eventId = event.id
  const [adult] = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const ticketTypes = [
    { id: adult?.id, name: 'Adult' },
    { name: 'Child', maxQuantity: 100 },
  ]
  const [, child] = await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
  const servers = [app, await app.another()]
  // The first is an adult; every third of the others is a child.
  const orders = many(2000).map((n) =>
    many((n * 7) % 6).map((at) => companion((n + at) % 3 === 0 ? { ticketTypeId: child?.id ?? 0 } : {})),
  )

  const answers = await Promise.allSettled(
    atOnce(many(2000), 200, (n) =>
      (servers[n % 2] ?? app).call(registrationApi.initRegistration, {
        ...registrationFor(event),
        companions: orders[n] ?? [],
      }),
    ),
  )

  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  for (const { registrations = [] } of made)
    expect(new Set(registrations.map(({ status }) => status))).toEqual(new Set(['confirmed']))
  const sizeOf = (companions: readonly unknown[]) => companions.length + 1
  const taken = orders.filter((_, n) => answers[n]?.status === 'fulfilled').reduce((sum, each) => sum + sizeOf(each), 0)
  const { registrationCount } = await app.call(eventApi.getEvent, { eventId })
  expect(registrationCount).toBe(taken)
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId })
  const childrenLeft = 100 - (types.find(({ id }) => id === child?.id)?.soldCount ?? 0)
  expect(childrenLeft).toBeGreaterThanOrEqual(0)
  for (const [n, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') continue
    expect(answer.reason).toMatchObject({ code: 'SOLD_OUT' })
    const companions = orders[n] ?? []
    const children = companions.filter(({ ticketTypeId }) => ticketTypeId !== undefined).length
    // Seats only become fewer here, so what is too few at the end may have been enough, but not the other way round.
    const isOfType = answer.reason.payload.ticketTypeId !== null
    expect(isOfType ? children : sizeOf(companions)).toBeGreaterThan(isOfType ? childrenLeft : 500 - taken)
  }
  await verify(app.deps.db)
}, 120_000)
