import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { signatureFor } from '../test-bank/test-bank.ts'
import { bankKeys, type PayingApp, startPayingApp } from './bank.ts'
import { makeFixture, registrationFor } from './make.ts'
import type { TestApp } from './start-app.ts'
import { verify } from './verify.ts'

export const MINUTE = 60_000
// Live bindings: `beforeEach` sets them again, so that each test has its own.
export let paying: PayingApp
export let app: TestApp
export let bank: PayingApp['bank']

/** Starts an app with card payment before each test of a file; after each, checks the database and stops the app. */
export function setUpPayingApp(): void {
  beforeEach(async () => {
    paying = await startPayingApp()
    ;({ app, bank } = paying)
  })
  afterEach(async () => {
    await verify(app.deps.db)
    await paying.stop()
  })
}

/** A club with a published event whose ticket costs 25.00. */
export const pricedFixture = (fields: Parameters<typeof makeFixture>[1] = {}) =>
  makeFixture(app, { ticketPrice: 2500, ...fields })

/** Registers somebody for the priced event; returns the registration with its checkout session. */
export async function begin(event: Event, extrasIds: number[] = []) {
  const answer = await app.call(registrationApi.initRegistration, { ...registrationFor(event), extrasIds })
  const { savedRegistration: registration, checkoutUrl } = answer
  return { registration, session: /cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? '', checkoutUrl }
}

export const ticketOf = ({ id, qrUuid }: { id: number; qrUuid: string }) =>
  app.call(ticketApi.getRegistration, { registrationId: id, qrUuid })
export const statusOf = async (registration: { id: number; qrUuid: string }) =>
  (await ticketOf(registration)).registration.status
export const later = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
export const seatsTaken = async (eventId: number) => (await app.call(eventApi.getEvent, { eventId })).registrationCount
export const mailsTo = (email: string) => app.sent.filter(({ to }) => to === email).map(({ subject }) => subject)

/** Posts an event as signed by the bank; returns the HTTP status. */
export async function post(body: string): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'stripe-signature': signatureFor(body, bankKeys.webhookSecret, app.clock.now),
  }
  return (await fetch(`${app.url}/api/stripe/webhook`, { method: 'POST', body, headers })).status
}

/** Posts an event that the test bank does not make by itself. */
export function tell(
  type: string,
  object: unknown,
  head: { livemode?: boolean; account?: string } = {},
): Promise<number> {
  return post(JSON.stringify({ id: `evt_${randomUUID()}`, type, livemode: false, data: { object }, ...head }))
}
