import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import type { Event } from '../../src/contract/event.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import * as paths from '../../src/web/paths.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage } from './browser.ts'

const PHONE = { width: 390, height: 844 }
let served: Served
let browser: Browser
let event: Event
let drinks: number
let token: string

beforeAll(async () => {
  served = await serve({ port: 3996, env: { ...OPERATOR, LIMITS: 'off' } })
  const made = await makeEventAt(served.url)
  event = made.event
  token = made.token
  const content = [{ name: 'Drink', quantity: 1 }]
  const payload = { eventId: event.id, name: 'Drink', description: '', price: 0, content, maxQuantity: null }
  drinks = (await callAt(served.url, extrasApi.saveExtras, { payload }, made.token)).payload.id
  browser = await launch()
}, 180_000)
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** Registers somebody with vouchers. Returns the address of the ticket. */
async function addTicket(name: string, vouchers = 0): Promise<string> {
  const person = { name, email: `${name.toLowerCase()}@example.org`, extrasIds: Array(vouchers).fill(drinks) }
  const input = registrationFor(event, person)
  const { id, qrUuid } = (await callAt(served.url, registrationApi.initRegistration, input)).payload.savedRegistration
  return `${served.url}/qr/${id}/${qrUuid}`
}

/** Opens a page whose script comes only after `release`. */
async function openBeforeScript(page: Page, url: string): Promise<{ release: () => void }> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/take-over-*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(url)
  return { release }
}

test('what is opened on a ticket before its script runs is there afterwards, with one code at a time', async () => {
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  const { release } = await openBeforeScript(page, await addTicket('Early', 2))
  const voucher = (n: number) => page.getByRole('group', { name: `Voucher: Drink ${n} of 2` })
  await voucher(1).locator('summary').click()
  await voucher(2).locator('summary').click()
  await voucher(2).getByRole('img', { name: 'QR code of the voucher Drink' }).waitFor()
  await voucher(1).getByRole('img').waitFor({ state: 'hidden' })
  await page.getByText('Correct your details').click()
  release()
  await page.getByLabel('Name').waitFor()
  // The code of the ticket is folded away while that of the voucher is open.
  await page.getByRole('button', { name: 'Show the code of the ticket' }).click()
  await page.getByRole('img', { name: 'QR code of this ticket' }).first().waitFor()
  expect(await voucher(2).getByRole('img').count()).toBe(0)
  expect(wrong).toEqual([])
})

test('a ticket with many vouchers links to the codes that the server does not draw', async () => {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(await addTicket('Many', 12))
  await page.getByRole('group', { name: 'Voucher: Drink 12 of 12' }).locator('summary').click()
  await page.getByRole('link', { name: 'Open this voucher' }).last().click()
  await page.getByRole('heading', { name: 'Voucher', exact: true }).waitFor()
  await page.getByRole('img', { name: 'QR code of the voucher Drink' }).waitFor()
})

test('a place given back is never shown as valid, even if the ticket cannot be read again at first', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(await addTicket('Gerda'))
  await page.getByText('Kept on this device').waitFor()
  let reads = 0
  await page.context().route('**/api/registration/getRegistration*', (route) => {
    reads++
    return reads === 1 ? route.abort() : route.continue()
  })
  await page.getByText('You cannot come?').click()
  await page.getByRole('button', { name: 'Give my place back' }).click()
  await page.getByRole('button', { name: 'Yes, give it back' }).click()
  await page.getByText('Your place is given back. This code is void.').waitFor()
  await page.getByText('Cancelled', { exact: true }).waitFor()
  expect(reads).toBe(2)
})

test('a used ticket says so above its code, and its success page no longer asks to show it', async () => {
  const page = await openPage(browser, PHONE)
  const address = await addTicket('Ursula')
  await page.goto(address)
  const card = page.getByRole('region', { name: 'Ticket', exact: true })
  await card.getByText('Valid').waitFor()
  const scan = { qrCodeData: address, eventId: event.id, scanId: crypto.randomUUID() }
  await callAt(served.url, checkinApi.scanByRegistrationId, { payload: scan }, token)
  await page.reload()
  const state = await card.getByText(/^Checked in on/).boundingBox()
  const code = await card.getByRole('img', { name: 'QR code of this ticket' }).first().boundingBox()
  expect(state?.y).toBeLessThan(code?.y ?? 0)
  const [id = '', qrUuid = ''] = new URL(address).pathname.split('/').slice(2)
  await page.goto(served.url + paths.registered({ id: Number(id), qrUuid, eventId: event.id, clubId: event.clubId }))
  await page.getByRole('heading', { name: 'You are checked in' }).waitFor()
  expect(await page.getByText('Your ticket is on its way').count()).toBe(0)
})

test('a ticket is given to somebody else, and the former link says so', async () => {
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page, /status of 40[49]|ERR_FAILED|^Refusal/)
  const address = await addTicket('Giver', 1)
  await page.goto(`${address}#hand-on`)
  // The keyboard goes on where the link led to.
  await page.locator('#hand-on summary:focus').waitFor()
  await page.getByText('Its vouchers go with it.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByLabel('Name').fill('Bo')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('bo@example.org')
  await page.getByRole('textbox', { name: 'Phone' }).fill('030 1234567')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Give the ticket to Bo, bo@example.org? It cannot be undone.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep my ticket' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await untilKept(page)
  // The answer gets lost, but the ticket has been given away.
  await page.route('**/api/registration/handOn', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const yes = page.getByRole('button', { name: 'Yes, give it' })
  await yes.click()
  await page.getByRole('alert').filter({ hasText: 'No answer came' }).waitFor()
  await page.unroute('**/api/registration/handOn')
  // They think it has not, and enter somebody else.
  await page.getByLabel('Name').fill('')
  await page.getByLabel('Name').pressSequentially('Cy')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('cy@example.org')
  await page.getByRole('button', { name: 'Continue' }).click()
  await yes.click()
  await page.getByRole('heading', { name: 'This ticket is void' }).waitFor()
  await page.getByText('most likely to Bo, bo@example.org').waitFor()
  await page.getByText(`It was for ${event.name}.`).waitFor()
  expect(await page.getByRole('link', { name: event.name, exact: true }).getAttribute('href')).toBe(paths.event(event))
  await page.getByText('This ticket was given to somebody else, who has a new code.').waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('heading', { name: 'This ticket is void' }).waitFor()
  expect(wrong).toEqual([])
})

/** Waits for the service worker: Playwright's routes can miss calls that are made while it takes over the page. */
async function untilKept(page: Page): Promise<void> {
  await page.getByText('Kept on this device').waitFor()
}

/** Fills in the form for somebody else's ticket with the keyboard, up to the question whether it is right. */
async function enter(page: Page, name: string): Promise<void> {
  const fields = { Name: name, 'E-mail': `${name.toLowerCase()}@example.org` }
  for (const [label, text] of Object.entries(fields)) {
    const field = page.locator('#hand-on').getByRole('textbox', { name: label })
    await field.fill('')
    await field.pressSequentially(text)
  }
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('whose several tries to give a ticket away got no answer reads that one of them arrived', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(`${await addTicket('Trier')}#hand-on`)
  await page.locator('#hand-on summary:focus').waitFor()
  await page.getByRole('textbox', { name: 'Phone' }).fill('030 1234567')
  const yes = page.getByRole('button', { name: 'Yes, give it' })
  await untilKept(page)
  let sent = 0
  await page.route('**/api/registration/handOn', async (route) => {
    // Only the first one arrives, and no answer comes back.
    if (++sent === 1) await route.fetch()
    await route.abort()
  })
  for (const name of ['Gil', 'Hal']) {
    await enter(page, name)
    // What is said of the first try still stands there.
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/handOn'))
    await yes.click()
    await failed
    await page.locator('#hand-on [aria-disabled=true]').first().waitFor({ state: 'detached' })
    await page.getByRole('alert').filter({ hasText: 'No answer came' }).waitFor()
  }
  await page.unroute('**/api/registration/handOn')
  await enter(page, 'Ivy')
  await yes.click()
  await page.getByRole('heading', { name: 'This ticket is void' }).waitFor()
  await page.getByText('most likely to one of those you entered before').waitFor()
  expect(await page.getByText('The ticket is given to somebody else').count()).toBe(0)
})

test('a ticket of an order is given away, which both pages say, and the order shows no code of it', async () => {
  const input = registrationFor(event, { name: 'Ada', email: 'ada@example.org', idempotencyKey: randomUUID() })
  const order = { ...input, companions: [companion({ name: 'Bea' }), companion({ name: 'Cleo' })] }
  const made = (await callAt(served.url, registrationApi.initRegistration, order)).payload
  const [, bea] = made.registrations ?? []
  if (!made.order || !bea) throw new Error('The order has three tickets.')
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page, /status of 409|^Refusal/)
  const orderPage = `${served.url}/order/${made.order.id}/${made.order.secret}`
  await page.goto(orderPage)
  await page.getByText('We also send all tickets to ada@example.org.').waitFor()
  const row = (name: string) => page.locator('details', { hasText: name }).first()
  await row('Bea').locator('summary').click()
  await page.getByRole('link', { name: 'Give to somebody else: ticket of Bea' }).click()
  await page.locator('#hand-on summary:focus').waitFor()
  await enter(page, 'Ada')
  const yes = page.getByRole('button', { name: 'Yes, give it' })
  await yes.click()
  await page.locator('#hand-on').getByText('This person is already registered').waitFor()
  // The keyboard goes on where the question was.
  await page.locator('#hand-on button[type=submit]:focus').waitFor()
  await enter(page, 'Flo')
  await yes.click()
  await page.getByRole('heading', { name: 'This ticket is void' }).waitFor()
  await page.getByText('The ticket is given to somebody else, with a new code.').waitFor()
  await page.goto(orderPage)
  await row('Flo').getByText('Given away').waitFor()
  await row('Flo').locator('summary').click()
  expect(
    await row('Flo')
      .getByRole('img', { name: /^QR code/ })
      .count(),
  ).toBe(0)
  expect(await row('Flo').getByRole('link').count()).toBe(0)
  // A mail for that ticket no longer comes here.
  expect(await page.getByText('We also send all tickets').count()).toBe(0)
  // The contact's own ticket says why it stays.
  await page.goto(`${served.url}/qr/${made.savedRegistration.id}/${made.savedRegistration.qrUuid}`)
  await page.getByText('You cannot give this ticket to somebody else: you registered several people with it').waitFor()
  expect(await page.locator('#hand-on').count()).toBe(0)
  expect(wrong).toEqual([])
})

test('a ticket opened from the device without network is shown as void once the network is back', async () => {
  const page = await openPage(browser, PHONE)
  const address = await addTicket('Olga')
  await page.goto(address)
  await page.getByText('Kept on this device').waitFor()
  const [id = '', qrUuid = ''] = new URL(address).pathname.split('/').slice(2)
  const registrationData = { name: 'Pam', email: 'pam@example.org', phone: '+49301234567', others: [] }
  await callAt(served.url, ticketApi.handOn, { payload: { registrationId: Number(id), qrUuid, registrationData } })
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('img', { name: 'QR code of this ticket' }).first().waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'This ticket is void' }).waitFor()
  await page.getByText(`It was for ${event.name}.`).waitFor()
  expect(await page.getByRole('img', { name: 'QR code of this ticket' }).count()).toBe(0)
  await expectAccessible(page)
})
