import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage } from './browser.ts'

const PHONE = { width: 390, height: 844 }
let bank: TestBank
let served: Served
let browser: Browser
let event: Event

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:3969/api/stripe/webhook' })
  const payments = {
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: 3969, env: { ...OPERATOR, ...payments, LIMITS: 'off' } })
  const made = await makeEventAt(served.url)
  const rules = { maxPerEmail: 10, phoneField: 'off' as const, maxAttendees: 20 }
  event = (await callAt(served.url, eventApi.save, { id: made.event.id, ticketPrice: 2500, ...rules }, made.token))
    .payload
  const eventId = event.id
  const [first] = (await callAt(served.url, ticketTypeApi.getTicketTypes, { eventId })).payload
  const ticketTypes = [
    { id: first?.id, name: 'Adult' },
    { name: 'Child', price: 1000 },
    { name: 'Baby', price: 0 },
  ]
  await callAt(served.url, ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, made.token)
  const content = [{ name: 'Drink', quantity: 1 }]
  const drinks = { eventId, name: 'Drinks', description: '', price: 500, maxQuantity: null, content }
  await callAt(served.url, extrasApi.saveExtras, { payload: drinks }, made.token)
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await bank.stop()
  await served.stop()
})

const eventPage = () => `${served.url}/club/${event.clubId}/event/${event.id}`
const personOf = (page: Page, place: number) => page.getByRole('group', { name: `Person ${place}` })
const placesTaken = async () =>
  (await callAt(served.url, eventApi.getEvent, { eventId: event.id })).payload.registrationCount

async function add(page: Page, place: number, name: string, ticket: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a person' }).click()
  await personOf(page, place).getByLabel('Name').fill(name)
  await personOf(page, place).getByLabel('Ticket').selectOption({ label: ticket })
}

test('a family orders, changes the mind at the bank, orders again, pays once, and has all tickets', async () => {
  const page = await openPage(browser, PHONE)
  const errors = listenForErrors(page)
  await page.goto(eventPage())
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ada@example.org')
  await add(page, 2, 'Bea', 'Child · €10.00')
  await add(page, 3, 'Cy', 'Baby · Free')
  await page.getByRole('button', { name: 'One Drinks more' }).click()
  await page.getByText('Total €40.00').waitFor()
  await page.getByText('All vouchers come with your own ticket.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Register and pay €40.00' }).click()
  await page.getByRole('heading', { name: 'Pay €40.00' }).waitFor()
  await page.getByRole('link', { name: 'Go back' }).click()

  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  await page.getByText('We keep your places until').waitFor()
  const lines = await page.locator('.receipt li').allInnerTexts()
  expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual([
    'Ada · Adult €25.00',
    'Drinks €5.00',
    'Bea · Child €10.00',
    'Cy · Baby Free',
    'Total €40.00',
  ])
  await expectAccessible(page)
  // One of their tickets does not lead to those of the others.
  await page.locator('summary').filter({ hasText: 'Bea' }).click()
  const link = await page.getByRole('link', { name: 'Open this ticket' }).getAttribute('href')
  const ticket = await page.context().newPage()
  await ticket.goto(served.url + link)
  await ticket.getByText('Whoever ordered them pays for all 3 people at once').waitFor()
  expect(await ticket.getByRole('button', { name: /by card/ }).count()).toBe(0)
  await expectAccessible(ticket)
  await ticket.close()

  await page.goto(eventPage())
  await page.getByText('Ada and 2 others, €40.00. We keep your places until').waitFor()
  expect(await placesTaken()).toBe(3)
  await page.getByRole('button', { name: 'Change' }).click()
  await personOf(page, 3).waitFor()
  expect(await placesTaken()).toBe(0)
  await page.getByRole('button', { name: 'Remove person 3' }).click()
  await page.getByRole('button', { name: 'Register and pay €40.00' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()

  await page.waitForURL('**/order/**')
  await page.getByRole('heading', { name: 'You are all registered' }).waitFor()
  await page.getByText('Thank you for your payment.').waitFor()
  await page.getByRole('button', { name: 'Ticket code of Ada' }).waitFor()
  expect(await page.locator('summary strong').allInnerTexts()).toEqual(['Ada', 'Bea'])
  await page.getByRole('heading', { name: 'Receipt' }).waitFor()
  await expectAccessible(page)
  await page.goto(eventPage())
  expect(await page.getByLabel('Name').inputValue()).toBe('')
  expect(bank.ledger()).toMatchObject([{ charged: 4000, refunded: 0 }])
  expect(errors).toEqual([])
})

test('a ticket that is gone is not replaced by another one, whose price differs', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(eventPage())
  await page.getByLabel('Name').fill('Ada')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ada2@example.org')
  await add(page, 2, 'Bea', 'Child · €10.00')
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage))
      sessionStorage.setItem(
        key,
        (sessionStorage.getItem(key) ?? '').replace(/("person-2-ticket-type","values":\[)"\d+"/, '$1"999"'),
      )
  })
  await page.reload()
  await personOf(page, 2).waitFor()
  expect(await personOf(page, 2).getByLabel('Ticket').inputValue()).toBe('')
  await page.getByText('Total €25.00').waitFor()
  await page.getByRole('button', { name: 'Register and pay' }).click()
  await page.getByRole('link', { name: 'Person 2: Choose a ticket.' }).waitFor()
})

test('the way back from an order that was changed keeps what was typed', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(eventPage())
  await page.getByLabel('Name').fill('Gil')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('gil@example.org')
  await add(page, 2, 'Hal', 'Child · €10.00')
  await page.getByRole('button', { name: 'Register and pay €35.00' }).click()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'Almost there' }).waitFor()
  const order = page.url()
  await page.getByRole('link', { name: 'About the event' }).click()
  await page.getByRole('button', { name: 'Change' }).click()
  await personOf(page, 2).waitFor()
  await page.goto(order)
  await page.getByText('These places are no longer yours.').waitFor()
  await page.goto(eventPage())
  expect(await personOf(page, 2).getByLabel('Name').inputValue()).toBe('Hal')
})

test('when only the contact leaves, the event page still leads to what waits to be paid', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(eventPage())
  await page.getByLabel('Name').fill('Ira')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('ira@example.org')
  await add(page, 2, 'Jo', 'Child · €10.00')
  await page.getByRole('button', { name: 'Register and pay €35.00' }).click()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByText('Somebody cannot come?').click()
  await page.getByRole('checkbox', { name: 'Ira' }).check()
  await page.getByRole('button', { name: 'Give one place back' }).click()
  await page.getByRole('button', { name: 'Yes, give back' }).click()
  await page.getByRole('button', { name: 'Pay €10.00 by card' }).waitFor()
  await page.goto(eventPage())
  await page.getByText('Jo, €10.00. We keep your place until').waitFor()
})

test('changing an unpaid registration keeps the ticket that was chosen', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(eventPage())
  await page.getByRole('radio', { name: /^Child/ }).check()
  await page.getByLabel('Name').fill('Kim')
  await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill('kim@example.org')
  await page.getByRole('button', { name: 'Register and pay €10.00' }).click()
  await page.getByRole('heading', { name: 'Pay €10.00' }).waitFor()
  await page.goto(eventPage())
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('button', { name: 'Register and pay €10.00' }).waitFor()
  expect(await page.getByRole('radio', { name: /^Child/ }).isChecked()).toBe(true)
})

test('without script an order is paid on the page of the bank too', async () => {
  const request = registrationFor(event, { name: 'Eve', email: 'eve@example.org' })
  const companions = [companion({ name: 'Fay' })]
  const { order } = (await callAt(served.url, registrationApi.initRegistration, { ...request, companions })).payload
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${served.url}/order/${order?.id}/${order?.secret}`)
  await page.getByRole('button', { name: 'Pay €50.00 by card' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL('**/order/**')
  await page.getByText('Thank you for your payment.').waitFor()
})
