import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { addEventAt, addQuestionsAt, callAt, makeEventAt, OPERATOR, takenAt } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { closePages, expectAccessible, isRunning, launch, openPage, signIn } from './browser.ts'
import { ANA } from './door-set-up.ts'

const PORT = 3993
const PHONE = { width: 390, height: 844 }
let bank: TestBank
let served: Served
let browser: Browser
let token = ''

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: `http://127.0.0.1:${PORT}/api/stripe/webhook` })
  const payments = {
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: PORT, env: { ...OPERATOR, ...payments, LIMITS: 'off' } })
  token = (await makeEventAt(served.url)).token
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
  await bank.stop()
})

type Fields = Parameters<typeof addEventAt>[3]
const addEvent = (name: string, fields?: Fields) => addEventAt(served.url, token, name, fields)
const addQuestions = (event: Event, questions: Parameters<typeof addQuestionsAt>[3]) =>
  addQuestionsAt(served.url, token, event, questions)

const addressOf = ({ clubId, id }: Event) => `${served.url}/club/${clubId}/event/${id}`
const taken = (event: Event) => takenAt(served.url, event)

async function openWithoutScript(): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  context.setDefaultTimeout(30_000)
  return context.newPage()
}

test('a visitor without JavaScript reads a club’s page, registers and gets the ticket; a wrong field keeps the input', async () => {
  const event = await addEvent('Without script')
  const question = { typeId: 0, text: 'Which shirt?', required: true, options: [] }
  await addQuestions(event, [question])
  const page = await openWithoutScript()
  await page.goto(`${served.url}/club/${event.clubId}/event`)
  await page.getByRole('link', { name: 'Without script' }).click()
  await page.getByRole('heading', { name: 'Without script' }).waitFor()
  await page.getByLabel('Name').fill('Nina Noscript')
  await page.getByLabel('E-mail', { exact: true }).fill('nina@')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByRole('button', { name: 'Register' }).click()
  await page
    .getByRole('alert')
    .getByRole('link', { name: /e-mail/ })
    .waitFor()
  await page.getByRole('alert').getByText('Which shirt?').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Nina Noscript')
  expect(await page.getByLabel('E-mail', { exact: true }).inputValue()).toBe('nina@')
  expect(await taken(event)).toBe(0)
  await page.getByLabel('E-mail', { exact: true }).fill('nina@example.org')
  await page.getByLabel('Which shirt?').fill('M')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.getByRole('img', { name: 'QR code of this ticket' }).first().waitFor()
  expect(await taken(event)).toBe(1)
})

test('a visitor without JavaScript pays for vouchers at the bank, comes back, and opens their codes', async () => {
  const event = await addEvent('Drinks without script', { currency: 'eur' })
  const content = [{ name: 'Drink', quantity: 1 }]
  const payload = { eventId: event.id, name: 'Drink', description: '', price: 350, content, maxQuantity: null }
  await callAt(served.url, extrasApi.saveExtras, { payload }, token)
  const page = await openWithoutScript()
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Pia Pay')
  await page.getByLabel('E-mail', { exact: true }).fill('pia@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByLabel('Drink: how many').fill('2')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.waitForURL(`${bank.url}/**`)
  // A visitor who leaves without paying can go to the bank again.
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  await page.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('link', { name: 'Open ticket' }).click()
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
  await page.getByRole('group', { name: 'Voucher: Drink 1 of 2' }).locator('summary').click()
  await page.getByRole('img', { name: 'QR code of the voucher Drink' }).waitFor()
  // What would do nothing is not shown.
  expect(await page.getByText('Save the code').count()).toBe(1)
  expect(await page.getByText('Save the code').isVisible()).toBe(false)
})

test('a registration that can no longer be paid says why, also without JavaScript', async () => {
  const event = await addEvent('Given back', { ticketPrice: 500, currency: 'eur' })
  const page = await openWithoutScript()
  await page.goto(addressOf(event))
  await page.getByLabel('Name').fill('Lea Late')
  await page.getByLabel('E-mail', { exact: true }).fill('lea@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49301234567')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  const { searchParams } = new URL(page.url())
  const [registrationId, qrUuid] = [Number(searchParams.get('registration_id')), searchParams.get('qrUuid') ?? '']
  await callAt(served.url, ticketApi.giveBack, { payload: { registrationId, qrUuid } })
  await page.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await page.getByRole('heading', { name: 'You are not registered' }).waitFor()
  await page.getByRole('alert').getByText('This ticket has been cancelled.').waitFor()
})

test('the same form sent twice from one page is one registration', async () => {
  const event = await addEvent('Twice')
  const html = await (await fetch(addressOf(event))).text()
  const action = /action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const body = new URLSearchParams({ name: 'Tom Twice', email: 'tom@example.org', phone: '+49301234567' })
  const send = () =>
    fetch(`${served.url}${action}`, {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
    })
  const [one, two] = await Promise.all([send(), send()])
  expect([one?.status, two?.status]).toEqual([303, 303])
  expect(one?.headers.get('location')).toBe(two?.headers.get('location'))
  expect(await taken(event)).toBe(1)
  // Another site cannot send the form on somebody's behalf.
  const foreign = await fetch(`${served.url}${action}`, {
    method: 'POST',
    body,
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.status).toBe(403)
})

test('a sold-out event shows what else there is, a cancelled one what happens to the money', async () => {
  const full = await addEvent('Full house', { maxAttendees: 1, ticketPrice: 500 })
  // Before the events of all other tests.
  const soon = { startsAt: new Date('2029-06-21T17:00:00Z'), endsAt: new Date('2029-06-21T21:00:00Z') }
  const open = await addEvent('Room for all', soon)
  const closed = await addEvent('Closed early', { ...soon, registrationClosesAt: new Date('2020-01-01T00:00:00Z') })
  await callAt(served.url, registrationApi.initRegistration, registrationFor(full, { name: 'Finn First' }))
  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(full))
  await page.getByText('The only place is taken.').waitFor()
  const soldOut = page.getByRole('region', { name: 'Fully booked' })
  await soldOut.getByRole('link', { name: open.name }).waitFor()
  expect(await soldOut.getByRole('link', { name: closed.name }).count()).toBe(0)
  await expectAccessible(page)
  // What the server rendered stays while its part of the script is late; if it fails, the rest of the page stays.
  let fail = () => {}
  await page.route('**/assets/WhatNext-*.js', (route) => {
    fail = () => void route.abort()
  })
  const asked = page.waitForRequest('**/assets/WhatNext-*.js')
  await page.reload()
  await asked
  // The page is rendered again once it has read what the tab has stored.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await soldOut.getByRole('link', { name: open.name }).count()).toBe(1)
  fail()
  await soldOut.getByRole('link', { name: open.name }).waitFor({ state: 'detached' })
  await soldOut.getByText('The only place is taken.').waitFor()
  await page.unroute('**/assets/WhatNext-*.js')
  await callAt(served.url, eventApi.save, { id: full.id, status: 'cancelled' }, token)
  await page.reload()
  await page.getByText('What you have paid by card goes back to your card.').waitFor()
  await page.getByRole('region', { name: 'This event is cancelled' }).getByRole('link', { name: open.name }).click()
  await page.getByRole('heading', { name: open.name }).waitFor()
})

test('an event’s page loads with few requests, and with fewer the second time', async () => {
  const event = await addEvent('Few requests')
  const page = await openPage(browser, PHONE)
  let asked: string[] = []
  page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname))
  await page.goto(addressOf(event))
  await isRunning(page)
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(8)
  asked = []
  let fetched = 0
  page.on('response', (response) => {
    void response
      .request()
      .sizes()
      .then(({ responseBodySize }) => (fetched += responseBodySize > 0 ? 1 : 0))
      .catch(() => {})
  })
  await page.goto(addressOf(event))
  await isRunning(page)
  expect(fetched).toBeLessThanOrEqual(3)
})

test('a place taken while the page is open is shown as soon as somebody comes back to it', async () => {
  const event = await addEvent('Watched', { maxAttendees: 2 })
  const page = await openPage(browser, PHONE)
  await page.clock.install()
  await page.goto(addressOf(event))
  await page.getByText('2 places left').waitFor()
  await isRunning(page)
  const registrationData = { name: 'Ben', email: 'ben@example.org', phone: '+49301234567', others: [] }
  await fetch(`${served.url}/api/registration/initRegistration`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      newRegistration: { eventId: event.id, clubId: event.clubId, registrationData },
      extrasIds: [],
    }),
  })
  await page.clock.fastForward(60_000)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByText('1 place left').waitFor()
})

test('a draft is visible to staff of its club, and to nobody else', async () => {
  const draft = await addEvent('Not yet', { status: 'draft' })
  const page = await openPage(browser, PHONE)
  expect((await page.goto(addressOf(draft)))?.status()).toBe(404)
  await page.getByRole('heading', { name: '404' }).waitFor()
  await signIn(page, served, ANA)
  await page.goto(addressOf(draft))
  await page.getByText('Draft. Only your club sees this.').waitFor()
  // As visitors will see it, but nobody can register.
  expect(await page.getByRole('button', { name: 'Register' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('heading', { name: 'Your event is live' }).waitFor()
  expect((await fetch(addressOf(draft))).status).toBe(200)
})
