import { afterEach, beforeEach } from 'vitest'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { type Registration, registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeExtras, makeFixture, registrationFor } from './make.ts'
import { startApp, type TestApp } from './start-app.ts'
import { verify } from './verify.ts'

// Live bindings: `beforeEach` sets them again, so that each test has its own.
export let app: TestApp
export let fixture: Awaited<ReturnType<typeof makeFixture>>
/** Starts an app with an event before each test of a file; after each, checks the database. */
export function setUpVouchers(): void {
  beforeEach(async () => {
    app = await startApp()
    fixture = await makeFixture(app)
  })
  afterEach(async () => {
    await verify(app.deps.db)
    await app.stop()
  })
}

export const drinks = [{ name: 'Drink', quantity: 3 }]
export const sell = (fields: Parameters<typeof makeExtras>[3] = {}, event = fixture.event, token = fixture.token) =>
  makeExtras(app, token, event.id, fields)
export const register = async (extrasIds: number[], to: TestApp = app) =>
  (await to.call(registrationApi.initRegistration, { ...registrationFor(fixture.event), extrasIds })).savedRegistration
export const vouchersOf = async ({ id, qrUuid }: Registration) =>
  (await app.call(ticketApi.getRegistration, { registrationId: id, qrUuid })).extras
export async function buy(fields: Parameters<typeof makeExtras>[3] = { content: drinks }) {
  const registration = await register([(await sell(fields)).id])
  const [voucher] = await vouchersOf(registration)
  if (!voucher) throw new Error('The voucher was not bought.')
  return { registration, voucher }
}

export type Scan = Omit<Parameters<typeof scanInput>[0], never>
function scanInput(scan: {
  qrCodeData: string
  eventId?: number
  scanId?: string
  units?: { name: string; count: number }[]
  extrasPurchaseIds?: number[]
}) {
  return { payload: { eventId: fixture.event.id, ...scan } }
}
export const scan = (input: Scan, to: TestApp = app, token = fixture.token) =>
  to.call(redemptionApi.scanByExtrasPurchaseId, scanInput(input), token)
