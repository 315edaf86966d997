import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import {
  type Credential,
  chooseAction,
  closePages,
  expectAccessible,
  launch,
  listenForErrors,
  openPage,
  signIn,
} from './browser.ts'

const PHONE = { width: 390, height: 844 }
const ADMIN: Credential = { email: 'ana@example.org', password: 'correct horse 1' }
let bank: TestBank
let served: Served
let event: Event
let token = ''
let browser: Browser

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:3943/api/stripe/webhook' })
  const env = {
    ...OPERATOR,
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: 3943, env })
  const made = await makeEventAt(served.url)
  token = made.token
  event = await callAt(served.url, eventApi.save, { id: made.event.id, ticketPrice: 2500 }, made.token).then(
    ({ payload }) => payload,
  )
  browser = await launch()
})
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await bank.stop()
  await served.stop()
})

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail', { exact: true }).fill(`${name.split(' ')[0]?.toLowerCase()}@example.org`)
  await page.getByLabel('Phone', { exact: true }).fill('+49 30 1234567')
}

const eventPage = () => `${served.url}/club/${event.clubId}/event/${event.id}`

test('staff sell a voucher; a visitor buys it with the ticket, changes the mind, pays, and staff redeem and refund it', async () => {
  const admin = await openPage(browser)
  await signIn(admin, served, ADMIN)
  await admin.getByRole('button', { name: /^More for/ }).click()
  await admin.getByRole('menuitem', { name: 'Vouchers' }).click()
  await admin.getByRole('button', { name: 'Add a voucher' }).click()
  await admin.getByLabel('Price in EUR').fill('1,000')
  await admin.getByRole('button', { name: 'Add an item' }).click()
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByText('Enter the name of the voucher.').waitFor()
  await admin.getByText('Enter an amount.').waitFor()
  await admin.getByText('Enter what it is.').waitFor()
  await admin.getByLabel('Name').fill('Drinks')
  await admin.getByLabel('Price in EUR').fill('7.50')
  await admin.getByLabel('How many (optional)', { exact: true }).fill('2')
  await admin.getByLabel('Quantity of item 1').fill('3')
  await admin.getByLabel('Item 1', { exact: true }).fill('Drink')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Save' }).click()
  await admin.getByRole('heading', { name: 'Drinks €7.50' }).waitFor()
  await expectAccessible(admin)

  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page)
  await page.goto(eventPage())
  await page.getByRole('button', { name: 'One Drinks more' }).click()
  await page.getByRole('button', { name: 'One Drinks more' }).click()
  // Taps count even before the page's script runs.
  await page.getByRole('button', { name: 'One Drinks more', disabled: true }).waitFor()
  await page.getByRole('button', { name: 'One Drinks less' }).click()
  await page.getByText('€32.50', { exact: true }).waitFor()
  await fillIn(page, 'Pia Payer')
  await page.reload()
  await page.getByText('€32.50', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Register and pay' }).click()
  await page.getByRole('heading', { name: 'Pay €32.50' }).waitFor()
  await page.getByRole('link', { name: 'Go back' }).click()
  await page.getByText('We keep your place until').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await page.getByRole('button', { name: 'Pay with a card that is refused' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.getByRole('link', { name: 'Open ticket' }).click()
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
  await page.getByRole('heading', { name: 'Your vouchers' }).waitFor()
  await page.locator('summary').filter({ hasText: 'Drinks' }).click()
  await page.getByRole('img', { name: 'QR code of the voucher Drinks' }).waitFor()
  // One code at a time: nobody shows the voucher at the door.
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor({ state: 'hidden' })
  await expectAccessible(page)
  // Paper has all codes, and no buttons.
  await page.emulateMedia({ media: 'print' })
  for (const code of ['QR code of this ticket', 'QR code of the voucher Drinks'])
    await page.getByRole('img', { name: code }).waitFor()
  await page.getByRole('button', { name: 'Show the code of the ticket' }).waitFor({ state: 'hidden' })
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Show the code of the ticket' }).click()
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
  await page.getByRole('img', { name: 'QR code of the voucher Drinks' }).waitFor({ state: 'hidden' })
  expect(wrong).toEqual([])
  expect(bank.sessions()).toHaveLength(1)

  await admin.goto(`${served.url}/event/${event.id}/attendees`)
  await admin.getByText('0 of 1 redeemed').waitFor()
  await admin.getByRole('button', { name: 'Pia Payer' }).click()
  await admin.getByText('€32.50 paid by card').waitFor()
  await admin.getByRole('button', { name: 'Redeem one Drink of Drinks' }).click()
  await admin.getByText('Drink: 2 of 3 left').waitFor()
  await admin.getByRole('button', { name: 'Take back one Drink of Drinks' }).click()
  await admin.getByText('Drink: 3 of 3 left').waitFor()
  await chooseAction(admin, 'Refund')
  const amount = admin.getByLabel('Amount in EUR')
  expect(await amount.inputValue()).toBe('32.50')
  await amount.fill('99')
  await admin.getByRole('button', { name: /^Refund/ }).click()
  await admin.getByText('At most €32.50.').waitFor()
  await amount.fill('2.50')
  await admin.getByRole('button', { name: /^Refund/ }).click()
  await admin.getByRole('dialog', { name: /^#/ }).getByText('€2.50 refunded').waitFor()
  await chooseAction(admin, 'Refund')
  await admin.getByRole('button', { name: /^Refund/ }).click()
  await admin.getByRole('dialog', { name: /^#/ }).getByText('€32.50 refunded').waitFor()
  await until(async () => bank.ledger()[0]?.refunded === 3250, 30_000, 'the bank has given all of it back')
  await page.reload()
  await page.getByText('Cancelled', { exact: true }).waitFor()
})

test('while Stripe is unreachable the place is held, and later paid from the ticket page', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(eventPage())
  await fillIn(page, 'Wally Waits')
  bank.behave({ api: 'fail' })
  await page.getByRole('button', { name: 'Register and pay' }).click()
  await page.getByText('Payment could not be started. Please try again in a moment.').first().waitFor()
  await page.getByText('We keep your place until').waitFor()
  bank.behave({ api: 'work' })
  await page.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
})

test('a visitor who returns without paying finds the place again, changes it, and pays', async () => {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const paid = { name: 'Paid', startsAt, endsAt, status: 'published' as const, ticketPrice: 2500 }
  const { payload: event } = await callAt(served.url, eventApi.save, paid, token)
  const address = `${served.url}/club/${event.clubId}/event/${event.id}`
  const taken = async () =>
    (await callAt(served.url, eventApi.getEvent, { eventId: event.id })).payload.registrationCount
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page, /status of 503/)
  await page.goto(address)
  await fillIn(page, 'Pia Payer')
  await page.getByRole('button', { name: 'Register and pay' }).click()
  await page.getByRole('heading', { name: 'Pay €25.00' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'You have an unpaid registration' }).waitFor()
  await expectAccessible(page)
  await page.route('**/api/registration/getRegistration*', (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/api/registration/getRegistration*')
  await again.click()
  await page.getByRole('heading', { name: 'You have an unpaid registration' }).waitFor()
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('button', { name: 'Register and pay' }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Pia Payer')
  await page.getByLabel('Name').fill('Pia Changed')
  await page.getByRole('button', { name: 'Register and pay' }).click()
  await page.getByRole('heading', { name: 'Pay €25.00' }).waitFor()
  expect(await taken()).toBe(1)
  await page.goBack()
  await page.getByRole('link', { name: 'Pay', exact: true }).click()
  await page.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.getByText('Pia Changed').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Paid on .* €25\.00$/ })
    .waitFor()
  await page.goto(address)
  await page.getByRole('button', { name: 'Register and pay' }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('')
  expect(await taken()).toBe(1)
  expect(wrong).toEqual([])
})

test('from the bank, to which the mail’s link leads at once, Back leads to the ticket and stays there', async () => {
  const request = registrationFor(event, { name: 'Hanna Hosted', email: 'hanna@example.org' })
  const { savedRegistration } = (await callAt(served.url, registrationApi.initRegistration, request)).payload
  const ticket = `${served.url}/qr/${savedRegistration.id}/${savedRegistration.qrUuid}`
  const page = await openPage(browser, PHONE)
  await page.goto(`${ticket}?pay=hosted`)
  await page.waitForURL((url) => url.origin === bank.url)
  await page.goBack()
  await page.getByRole('button', { name: /^Pay .* by card$/ }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(page.url()).toBe(ticket)
})

test('a refund whose answer was lost is made once, whatever is entered after it', async () => {
  const page = await openPage(browser)
  await page.goto(eventPage())
  await fillIn(page, 'Rita Refund')
  await page.getByRole('button', { name: 'Register and pay' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  const refunded = () => bank.ledger().reduce((sum, entry) => sum + entry.refunded, 0)
  const before = refunded()

  const admin = await openPage(browser)
  await signIn(admin, served, ADMIN)
  await admin.goto(`${served.url}/event/${event.id}/attendees`)
  await admin.getByRole('button', { name: 'Rita Refund' }).click()
  // Whoever has paid is removed only after a refund, so the one leads to the other.
  await chooseAction(admin, 'Remove for good')
  const removal = admin.getByRole('dialog', { name: 'Remove Rita Refund?' })
  await removal.getByText('the money goes back first').waitFor()
  await removal.getByRole('button', { name: 'Refund first' }).click()
  const dialog = admin.getByRole('dialog', { name: /^Refund / })
  const amount = dialog.getByLabel('Amount in EUR')
  const give = dialog.getByRole('button', { name: /^Refund/ })
  const answers = ['foreign', 'lost', 'foreign']
  await admin.route('**/api/stripe/refund', async (route) => {
    const next = answers.shift()
    if (next === 'foreign') return route.fulfill({ status: 403, body: 'Log in to this network' })
    if (next !== 'lost') return route.continue()
    await route.fetch()
    return route.abort()
  })
  const words = ['Request failed with status code 403', 'No answer came', 'Request failed with status code 403']
  for (const [index, told] of words.entries()) {
    await amount.fill(index === 2 ? '12' : '10')
    await give.click()
    await dialog.getByRole('alert').getByText(told).waitFor()
  }
  await give.click()
  await dialog.getByText('Your first try had arrived').waitFor()
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await admin.getByRole('dialog', { name: /^#/ }).getByText('€10.00 refunded').waitFor()
  expect(refunded() - before).toBeLessThanOrEqual(1000)

  await chooseAction(admin, 'Refund')
  await dialog.getByText('Refunded already: €10.00.').waitFor()
  await amount.fill('12')
  await give.click()
  await admin.getByRole('dialog', { name: /^#/ }).getByText('€22.00 refunded').waitFor()
  await until(async () => refunded() - before === 2200, 30_000, 'the bank has given both back')
})

/** The parts of Stripe's script that the page uses: a form that shows the keys it was made with. */
const stripeScript = `
window.Stripe = (key) => ({
  createEmbeddedCheckoutPage: async ({ clientSecret }) => ({
    mount: (element) => { element.textContent = 'Card form of ' + key + ' for ' + clientSecret },
    destroy: () => {},
  }),
  _registerWrapper: () => {},
})`

test('with a publishable key the card form is shown in the page; if its script cannot load, the bank’s page takes its place', async () => {
  const env = {
    ...OPERATOR,
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_turnout',
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  const other = await serve({ port: 3944, env })
  try {
    bank.setWebhookUrl(`${other.url}/api/stripe/webhook`)
    const made = await makeEventAt(other.url)
    await callAt(other.url, eventApi.save, { id: made.event.id, ticketPrice: 2500 }, made.token)
    const address = `${other.url}/club/${made.event.clubId}/event/${made.event.id}`

    const page = await openPage(browser, PHONE)
    await page.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: stripeScript }),
    )
    await page.goto(address)
    await fillIn(page, 'Emma Embedded')
    await page.getByRole('button', { name: 'Register and pay' }).click()
    await page.getByText(/Card form of pk_test_turnout for cs_test_\w+_secret_/).waitFor()
    await expectAccessible(page)
    const session = bank.sessions().at(-1)?.id ?? ''
    await bank.pay(session)
    await page.goto(`${page.url()}&session_id=${session}`)
    await page.getByRole('heading', { name: 'You are registered' }).waitFor()

    const blocked = await openPage(browser, PHONE)
    await blocked.route('https://js.stripe.com/**', (route) => route.abort())
    await blocked.goto(address)
    await fillIn(blocked, 'Bea Blocked')
    await blocked.getByRole('button', { name: 'Register and pay' }).click()
    await blocked.getByText('The card form could not be loaded here.').waitFor()
    await blocked.getByRole('button', { name: /^Pay .* by card$/ }).click()
    await blocked.getByRole('button', { name: 'Pay', exact: true }).click()
    await blocked.getByRole('heading', { name: 'You are registered' }).waitFor()
  } finally {
    await other.stop()
  }
})
