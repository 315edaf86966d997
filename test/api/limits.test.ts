import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { paymentApi } from '../../src/contract/payments.ts'
import { type Challenge, PROOF_HEADER, proofNeeded } from '../../src/contract/proofs.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { count, enforce } from '../../src/server/limits/limit-tries.ts'
import { triesFor } from '../../src/server/limits/proof.ts'
import { rules } from '../../src/server/limits/rules.ts'
import { startPayingApp } from '../support/bank.ts'
import { makeClub, makeEvent, makeFixture, makeRegistration, registrationFor, tokenFor } from '../support/make.ts'
import { answerCode, countOutcomes, refusalOf, tally } from '../support/outcomes.ts'
import { until } from '../support/serve.ts'
import { solveProof } from '../support/solve-proof.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { verify } from '../support/verify.ts'

const MINUTE = 60_000
let paying: Awaited<ReturnType<typeof startPayingApp>>
let app: TestApp
let fixture: Awaited<ReturnType<typeof makeFixture>>
beforeAll(async () => {
  paying = await startPayingApp()
  app = paying.app
  fixture = await makeFixture(app)
})
// At the start of each test all windows and the previous test's holds have ended.
beforeEach(() => later(60 * MINUTE))
afterAll(async () => {
  await verify(app.deps.db)
  await paying.stop()
})

const later = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const many = (length: number) => Array.from({ length }, (_, n) => n)

let lastAddress = 0
/** An address that was not used before. */
const newAddress = () => `198.51.${++lastAddress >> 8}.${lastAddress & 255}`

type Person = Parameters<typeof registrationFor>[1]
interface Visit {
  address?: string
  token?: string
  proof?: string
  person?: Person
}

/** Registers somebody from an address. */
function register(event: { id: number; clubId: number }, { address = newAddress(), token, proof, person }: Visit = {}) {
  return app.raw(registrationApi.initRegistration, registrationFor(event, person), {
    'x-forwarded-for': address,
    ...(token && { authorization: token }),
    ...(proof && { [PROOF_HEADER]: proof }),
  })
}

async function challengeIn(response: Response): Promise<Challenge> {
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  const { code, payload } = await response.json()
  expect(code).toBe('PROOF_NEEDED')
  return proofNeeded.parse(payload).challenge
}

describe('a count in a window', () => {
  const rule = 'lost tickets by address'
  const { most, windowMs } = rules[rule]

  test('refuses requests beyond it, also simultaneous ones, until the window has ended', async () => {
    const tries = () => enforce(app.deps.db, app.clock.now, [{ rule, of: 'window' }])
    expect(await countOutcomes(many(most + 2).map(tries))).toEqual({ ok: most, TOO_MANY_TRIES: 2 })
    later(windowMs - 1000)
    expect((await refusalOf(tries(), 'TOO_MANY_TRIES')).retryAfter).toBe(1)
    later(1000)
    await tries()
  })

  test('restarts when a clock was set back, so that nobody waits longer than a window', async () => {
    const tries = async () => (await count(app.deps.db, app.clock.now, [{ rule, of: 'clock' }]))[0]
    for (const _ of many(most + 1)) await tries()
    later(-24 * 60 * MINUTE)
    expect(await tries()).toMatchObject({ excess: 1 - most, retryAfter: windowMs / 1000 })
    later(24 * 60 * MINUTE)
  })
})

describe('a crowd at one address', () => {
  test('of 300 people registers within a minute: the first 30 as always, the others with a proof of work', async () => {
    const address = newAddress()
    const event = await makeEvent(app, fixture.token)
    const answers = await Promise.all(many(300).map(() => register(event, { address })))
    const asked = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ ok }) => ok)).toHaveLength(30)
    const proofs = await Promise.all(asked.map(async (answer) => solveProof(await challengeIn(answer))))
    expect(await tally(proofs.map((proof) => register(event, { address, proof })))).toEqual({ ok: 270 })
  }, 60_000)

  test('has its proofs count once each, from its own network, unchanged and in time', async () => {
    const event = await makeEvent(app, fixture.token)
    const address = newAddress()
    await Promise.all(many(30).map(() => register(event, { address })))
    const ask = async () => challengeIn(await register(event, { address }))
    const proof = solveProof(await ask())
    const uses = many(3).map(() => register(event, { address, proof }))
    expect(await tally(uses)).toEqual({ ok: 1, PROOF_NEEDED: 2 })

    const other = newAddress()
    await Promise.all(many(30).map(() => register(event, { address: other })))
    const fresh = await ask()
    expect(await answerCode(await register(event, { address: other, proof: solveProof(fresh) }))).toBe('PROOF_NEEDED')
    const { data } = fresh.parameters
    const changed = { ...fresh, parameters: { ...fresh.parameters, data: { ...data, until: data.until - 1 } } }
    expect(await answerCode(await register(event, { address, proof: solveProof(changed) }))).toBe('PROOF_NEEDED')
    expect(await answerCode(await register(event, { address, proof: 'nonsense' }))).toBe('PROOF_NEEDED')

    const late = solveProof(fresh)
    later(11 * MINUTE)
    await Promise.all(many(30).map(() => register(event, { address })))
    expect(await answerCode(await register(event, { address, proof: late }))).toBe('PROOF_NEEDED')
  })

  test('does work that grows with the square of the excess, and has an end', () => {
    expect(triesFor(1)).toBeLessThan(1_020)
    expect(triesFor(3000)).toBeGreaterThan(400 * triesFor(1))
    expect(triesFor(1e9)).toBe(4_000_000)
  })

  test('is a whole IPv6 /64, with more for its /48', async () => {
    const event = await makeEvent(app, fixture.token)
    const at = (network: number) => register(event, { address: `2001:db8:7:${network}::${++lastAddress}` })
    expect(await tally(many(31).map(() => at(0)))).toEqual({ ok: 30, PROOF_NEEDED: 1 })
    expect(await tally(many(120).map((n) => at(1 + (n >> 4))))).toEqual({ ok: 89, PROOF_NEEDED: 31 })
  })

  test('is not limited for the staff of the club, while staff of another club are visitors', async () => {
    const event = await makeEvent(app, fixture.token)
    const other = await makeClub(app, await tokenFor(app, fixture.sudo.id))
    const address = newAddress()
    const by = (token: string) => many(31).map(() => register(event, { address, token }))
    expect(await tally(by(fixture.token))).toEqual({ ok: 31 })
    expect(await tally(by(other.token))).toEqual({ ok: 30, PROOF_NEEDED: 1 })
  })

  test('has no limits when they are switched off', async () => {
    const off = await startApp({ databaseUrl: app.databaseUrl, settings: { limits: false } })
    off.clock.now = app.clock.now
    const event = await makeEvent(app, fixture.token)
    expect(await countOutcomes(many(40).map(() => makeRegistration(off, event)))).toEqual({ ok: 40 })
    await off.stop()
  })
})

describe('one e-mail address', () => {
  const email = 'family@example.org'

  test('has as many places at an event as the club allows, also when they are asked for at once; staff add more', async () => {
    const event = await makeEvent(app, fixture.token, { maxPerEmail: 3 })
    expect(event.maxPerEmail).toBe(3)
    const person = { email: email.toUpperCase() }
    const tries = many(6).map((n) => register(event, { person: n % 2 === 0 ? { email } : person }))
    expect(await tally(tries)).toEqual({ ok: 3, EMAIL_LIMIT: 3 })
    expect(await answerCode(await register(event))).toBe('ok')
    expect(await answerCode(await register(event, { person: { email }, token: fixture.token }))).toBe('ok')
    const { registrationData } = registrationFor(event, { email }).newRegistration
    await app.call(attendeeApi.save, { payload: { eventId: event.id, registrationData, extrasIds: [] } }, fixture.token)
    expect(await answerCode(await register(event, { person: { email } }))).toBe('EMAIL_LIMIT')
  })

  test('that is at its limit takes no seat from the others', async () => {
    const event = await makeEvent(app, fixture.token, { maxPerEmail: 1, maxAttendees: 2 })
    const tries = [...many(5).map(() => register(event, { person: { email: 'one@example.org' } })), register(event)]
    expect(await tally(tries)).toEqual({ ok: 2, EMAIL_LIMIT: 4 })
  })

  test('is counted once for a registration that needed a proof, and not at all for one that was refused', async () => {
    const email = 'school@example.org'
    const address = newAddress()
    for (const _ of many(30)) await register(fixture.event, { address })
    const event = await makeEvent(app, fixture.token, { maxPerEmail: 50 })
    const challenged = await Promise.all(many(12).map(() => register(event, { address, person: { email } })))
    for (const answer of challenged) {
      const proof = solveProof(await challengeIn(answer))
      expect(await answerCode(await register(event, { address, proof, person: { email } }))).toBe('ok')
    }
    const full = await makeEvent(app, fixture.token, { maxAttendees: 1 })
    await register(full)
    for (const _ of many(9)) expect(await answerCode(await register(full, { person: { email } }))).toBe('SOLD_OUT')
    expect(await tally(many(9).map(() => register(event, { person: { email } })))).toEqual({ ok: 8, TOO_MANY_TRIES: 1 })
  })

  test('is used for 20 registrations an hour, whatever the events', async () => {
    const person = { email: 'flood@example.org' }
    const events = [await makeEvent(app, fixture.token, { maxPerEmail: 50 }), await makeEvent(app, fixture.token)]
    const at = (n: number) => register(events[n % 2] ?? fixture.event, { person })
    expect(await tally(many(18).map(at))).toEqual({ ok: 18 })
    later(30 * MINUTE)
    expect(await tally(many(4).map(() => register(events[0] ?? fixture.event, { person })))).toEqual({
      ok: 2,
      TOO_MANY_TRIES: 2,
    })
    later(31 * MINUTE)
    expect(await answerCode(await register(events[0] ?? fixture.event, { person }))).toBe('ok')
  })
})

describe('unpaid places', () => {
  /** The number of sessions that wait for a table or an advisory lock in this database. */
  async function waitingInLine(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks
      where not granted and locktype in ('relation', 'advisory')
        and database = (select oid from pg_database where datname = current_database())
    `.execute(app.deps.db)
    return rows[0]?.count ?? 0
  }

  const priced = () => makeEvent(app, fixture.token, { ticketPrice: 2500 })

  test('are limited to three for an e-mail address over all events, also at once on two servers', async () => {
    const other = await app.another()
    other.clock.now = app.clock.now
    const events = [await priced(), await priced()]
    const person = { email: 'holder@example.org' }
    const hold = (n: number) =>
      (n % 2 === 0 ? app : other).raw(
        registrationApi.initRegistration,
        registrationFor(events[n % 2] ?? fixture.event, person),
        { 'x-forwarded-for': newAddress() },
      )
    // Both servers have decided, or wait to, before either can record its holds.
    const tries = await app.deps.db.transaction().execute(async (tx) => {
      await sql`lock table unpaid_holds in share mode`.execute(tx)
      const sent = many(8).map(hold)
      await until(async () => (await waitingInLine()) >= 2, 20_000, 'both servers wait')
      return sent
    })
    expect(await tally(tries)).toEqual({ ok: 3, TOO_MANY_HOLDS: 5 })
    // The refused ones left nothing behind.
    await verify(app.deps.db)
    later(31 * MINUTE)
    expect(await answerCode(await register(events[0] ?? fixture.event, { person }))).toBe('ok')
  })

  test('are limited to ten for a network, and a paid one makes room', async () => {
    const address = newAddress()
    const event = await priced()
    const answers = await Promise.all(many(12).map(() => register(event, { address })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...many(10).map(() => 200), 429, 429])
    const first = await answers.find(({ ok }) => ok)?.json()
    await paying.bank.pay(/cs_test_\w+/.exec(first.payload.checkoutUrl)?.[0] ?? '')
    expect(await tally(many(2).map(() => register(event, { address })))).toEqual({ ok: 1, TOO_MANY_HOLDS: 1 })
    // Staff who sell at the club's own desk are not limited.
    expect(await answerCode(await register(event, { address, token: fixture.token }))).toBe('ok')
  })

  test('count again when an ended one is reserved again', async () => {
    const event = await priced()
    const person = { email: 'again@example.org' }
    const [ended] = await Promise.all(many(1).map(async () => (await register(event, { person })).json()))
    later(31 * MINUTE)
    expect(await tally(many(3).map(() => register(event, { person })))).toEqual({ ok: 3 })
    const { id: registrationId, qrUuid } = ended.payload.savedRegistration
    const pay = () => app.call(paymentApi.createCheckout, { payload: { registrationId, qrUuid } })
    await refusalOf(pay(), 'TOO_MANY_HOLDS')
    later(31 * MINUTE)
    await pay()
    expect(await tally(many(3).map(() => register(event, { person })))).toEqual({ ok: 2, TOO_MANY_HOLDS: 1 })
  })

  test('are checked at the bank once in two seconds, however often visitors ask', async () => {
    const event = await priced()
    const { payload } = await (await register(event)).json()
    const { id: registrationId, qrUuid } = payload.savedRegistration
    const sessionId = /cs_test_\w+/.exec(payload.checkoutUrl)?.[0] ?? ''
    const asked = () =>
      paying.bank.requests().filter((line) => line === `GET /v1/checkout/sessions/${sessionId}`).length
    const before = asked()
    const status = () => app.call(paymentApi.sessionStatus, { sessionId })
    const pay = () => app.call(paymentApi.createCheckout, { payload: { registrationId, qrUuid } })
    const answers = await Promise.all([...many(5).map(pay), ...many(5).map(status)])
    expect(asked() - before).toBe(1)
    expect(answers[0]).toEqual({ clientSecret: null, checkoutUrl: payload.checkoutUrl })
    expect(answers[9]).toMatchObject({ status: 'open', registrationStatus: 'pending' })
    later(2000)
    await status()
    expect(asked() - before).toBe(2)
  })
})

describe('a ticket', () => {
  const readAt = (address: string, registrationId: number, qrUuid: string) =>
    app.raw(ticketApi.getRegistration, { registrationId, qrUuid }, { 'x-forwarded-for': address })

  test('whose secret is guessed answers 429 to the guesser after a hundred guesses, and still works with its secret', async () => {
    const { id, qrUuid } = await makeRegistration(app, fixture.event)
    const address = newAddress()
    const wrong = many(102).map(() => readAt(address, id, '00000000-0000-4000-8000-000000000000'))
    expect(await tally(wrong)).toEqual({ NOT_FOUND: 100, TOO_MANY_TRIES: 2 })
    expect(await answerCode(await readAt(address, id, qrUuid))).toBe('ok')
    expect(await answerCode(await readAt(newAddress(), id, 'x'))).toBe('NOT_FOUND')
  })

  test('can be changed by one network only a limited number of times a minute', async () => {
    const { id: registrationId, qrUuid } = await makeRegistration(app, fixture.event)
    const address = newAddress()
    const give = () =>
      app.raw(ticketApi.giveBack, { payload: { registrationId, qrUuid } }, { 'x-forwarded-for': address })
    const { most } = rules['tickets changed by network']
    expect(await tally(many(most + 1).map(give))).toEqual({ ok: 1, TICKET_CANCELLED: most - 1, TOO_MANY_TRIES: 1 })
  })

  test('is sent again by staff 20 times an hour', async () => {
    const { id: registrationId } = await makeRegistration(app, fixture.event)
    const send = () => app.call(attendeeApi.sendTicket, { registrationId, eventId: fixture.event.id }, fixture.token)
    expect(await countOutcomes(many(22).map(send))).toEqual({ ok: 20, TOO_MANY_TRIES: 2 })
    const all = { eventId: fixture.event.id, registrationIds: [registrationId], action: 'resend' as const }
    expect(await app.call(attendeeApi.changeMany, { payload: all }, fixture.token)).toEqual({
      changed: 0,
      unchanged: 1,
    })
  })

  test('allows one person 60 guesses of its short code; further ones are refused and logged, and scanning goes on', async () => {
    const ticket = await makeRegistration(app, fixture.event)
    const scan = (qrCodeData: string) =>
      app.call(checkinApi.scanByRegistrationId, { payload: { qrCodeData, eventId: fixture.event.id } }, fixture.token)
    await scan(shortCode(ticket))
    const guesses = await countOutcomes(many(62).map(() => scan(`${ticket.id}-00000000`)))
    expect(guesses).toEqual({ NOT_FOUND: 60, TOO_MANY_TRIES: 2 })
    await refusalOf(scan(shortCode(ticket)), 'TOO_MANY_TRIES')
    await refusalOf(scan(`https://turnout.test/qr/${ticket.id}/${ticket.qrUuid}`), 'ALREADY_CHECKED_IN')
    const logged = await app.deps.db
      .selectFrom('changes')
      .selectAll()
      .where('action', '=', 'too many wrong short codes')
      .execute()
    expect(logged).toMatchObject([{ userId: fixture.admin.id, clubId: fixture.club.id }])
  })
})
