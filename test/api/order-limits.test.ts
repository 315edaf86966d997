import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { PROOF_HEADER } from '../../src/contract/proofs.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { hashOf } from '../../src/server/tokens.ts'
import { startPayingApp } from '../support/bank.ts'
import { makeFixture, makeRegistration, registrationFor } from '../support/make.ts'
import { countOutcomes, refusalOf } from '../support/outcomes.ts'
import { solveProof } from '../support/solve-proof.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let limited: TestApp
beforeEach(async () => {
  limited = await startApp()
})
afterEach(() => limited.stop())

const companionAt = (email: string) => ({
  registrationData: { name: `Somebody ${email}`, email, phone: '', others: [] },
  extrasIds: [],
})
const orderOf = (event: Event, emails: string[]) => ({
  ...registrationFor(event),
  companions: emails.map((email) => companionAt(email)),
})
const addresses = (count: number, at: string) => Array.from({ length: count }, (_, n) => `${n}@${at}`)

test('each person counts for a network, and a proof is for as many people as it was asked for', async () => {
  const { event } = await makeFixture(limited)
  const send = (request: object, proof?: string) =>
    limited.raw(registrationApi.initRegistration, request, proof === undefined ? {} : { [PROOF_HEADER]: proof })
  expect((await send(orderOf(event, addresses(19, 'a.example')))).status).toBe(200)
  expect((await send(orderOf(event, addresses(19, 'c.example')))).status).toBe(429)
  const proofFor = async (request: object) => {
    const answer = await send(request)
    const { code, payload } = await answer.json()
    expect(code).toBe('PROOF_NEEDED')
    return solveProof(payload.challenge)
  }
  const alone = await proofFor({ ...orderOf(event, []), companions: undefined })
  const three = orderOf(event, addresses(2, 'b.example'))
  expect((await send(three, alone)).status).toBe(429)
  expect((await send(three, await proofFor(three))).status).toBe(200)
})

/** How often an address was registered or handed a ticket. */
async function triesOf(email: string): Promise<number> {
  const counts = await limited.deps.db.selectFrom('limitCounts').selectAll().execute()
  return counts.find(({ key }) => key.includes(hashOf(email)))?.count ?? 0
}

/** Registers an address as often as it may be in an hour. */
async function useUp(event: Event, email: string): Promise<void> {
  for (let n = 0; n < 20; n++) {
    limited.clock.now = new Date(limited.clock.now.getTime() + 60_000)
    await limited.call(registrationApi.initRegistration, registrationFor(event, { email }))
  }
}

test('an address over its limit uses up that of nobody else', async () => {
  const { event } = await makeFixture(limited, { maxPerEmail: 50 })
  await useUp(event, 'full@example.org')
  await refusalOf(
    limited.call(registrationApi.initRegistration, orderOf(event, ['full@example.org', 'other@example.org'])),
    'TOO_MANY_TRIES',
  )
  expect(await triesOf('other@example.org')).toBe(0)
})

test('a ticket handed on counts for the new address, and one that is refused locks nobody out', async () => {
  const { event } = await makeFixture(limited, { maxPerEmail: 50 })
  const { id: registrationId, qrUuid } = await makeRegistration(limited, event)
  const handOn = (email: string, phone = '030 7654321') =>
    limited.call(ticketApi.handOn, {
      payload: { registrationId, qrUuid, registrationData: { name: 'Bo', email, phone, others: [] } },
    })
  await useUp(event, 'full@example.org')
  await refusalOf(handOn('full@example.org'), 'TOO_MANY_TRIES')
  await refusalOf(handOn('bo@example.org', ''), 'INVALID_INPUT')
  expect(await triesOf('bo@example.org')).toBe(0)
  await handOn('bo@example.org')
  expect(await triesOf('bo@example.org')).toBe(1)
})

test('an order is held whatever its size, by whoever makes it, and counts with all of its people', async () => {
  const paying = await startPayingApp()
  const { app } = paying
  const { event } = await makeFixture(app, { ticketPrice: 2500, maxPerEmail: 50 })
  const hold = (request: Input<typeof registrationApi.initRegistration>) =>
    app.call(registrationApi.initRegistration, request)
  const three = orderOf(event, addresses(2, 'a.example'))
  await hold(three)
  const contact = registrationFor(event, { email: three.newRegistration.registrationData.email })
  await refusalOf(hold(contact), 'TOO_MANY_HOLDS')
  // Their companions hold nothing themselves, so they can register by themselves.
  await hold(registrationFor(event, { email: '0@a.example' }))
  // The first has a run of its own; the others are decided together in the next one.
  const twice = { email: 'twice@example.org' }
  const pair = [orderOf(event, addresses(2, 'c.example')), orderOf(event, addresses(2, 'd.example'))].map((order) => ({
    ...order,
    newRegistration: registrationFor(event, twice).newRegistration,
  }))
  const asked = [registrationFor(event), ...pair].map(hold)
  expect(await countOutcomes(asked)).toEqual({ ok: 2, TOO_MANY_HOLDS: 1 })
  await hold(orderOf(event, addresses(11, 'b.example')))
  await refusalOf(hold(registrationFor(event)), 'TOO_MANY_HOLDS')
  await paying.stop()
})
