import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import type { Order } from '../../src/contract/order.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage } from './browser.ts'

const PHONE = { width: 390, height: 844 }
let served: Served
let browser: Browser
let order: Order
let pages: string[]

beforeAll(async () => {
  served = await serve({ port: 3968, env: { ...OPERATOR, LIMITS: 'off' } })
  const { token } = await makeEventAt(served.url)
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const input = { name: 'Summer concert', startsAt, endsAt, status: 'published' as const, maxPerEmail: 10 }
  const event = (await callAt(served.url, eventApi.save, input, token)).payload
  const companion = (name: string) => ({
    registrationData: { name, email: '', phone: '', others: [] },
    extrasIds: [],
  })
  const request = registrationFor(event, { name: 'Ada', email: 'ada@example.org' })
  const companions = [companion('Bea'), companion('Cy')]
  const made = (await callAt(served.url, registrationApi.initRegistration, { ...request, companions })).payload
  if (!made.order || !made.registrations) throw new Error('An order is answered as one.')
  order = made.order
  pages = made.registrations.map(({ id, qrUuid }) => `/qr/${id}/${qrUuid}`)
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

const addressOf = ({ id, secret }: { id: number; secret: string }) => `${served.url}/order/${id}/${secret}`

test('the contact shows one code after the other, and gives a place back', async () => {
  const page = await openPage(browser, PHONE)
  const errors = listenForErrors(page)
  await page.goto(addressOf(order))
  const codes = page.getByRole('button', { name: /^Ticket code of/ })
  await codes.first().waitFor()
  expect(await codes.count()).toBe(1)
  await page.getByText('Bea', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Ticket code of Bea' }).waitFor()
  // The other one is folded away.
  expect(await codes.count()).toBe(1)
  await expectAccessible(page)
  expect(await page.getByRole('link', { name: 'Open this ticket' }).nth(0).getAttribute('href')).toBe(pages[1])

  await page.getByText('Somebody cannot come?').click()
  expect(await page.getByRole('button', { name: 'Give back' }).isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: 'Cy' }).check()
  await page.getByRole('button', { name: 'Give one place back' }).click()
  await page.getByRole('button', { name: 'Keep' }).click()
  await page.getByRole('button', { name: 'Give one place back' }).click()
  await page.getByRole('button', { name: 'Yes, give back' }).click()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  expect(errors).toEqual([])
})

test('without script all codes are there, and a wrong secret is no ticket', async () => {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(addressOf(order))
  await page.getByText('Bea', { exact: true }).first().click()
  expect(await page.locator('details svg, details img').count()).toBeGreaterThan(1)
  expect(await page.getByRole('link', { name: 'Save all as PDF' }).getAttribute('href')).toContain('getTicketsPdf')
  const wrong = await page.goto(addressOf({ ...order, secret: crypto.randomUUID() }))
  expect(wrong?.status()).toBe(404)
})
