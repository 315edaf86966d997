import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { closePages, expectAccessible, launch, listenForErrors, openPage, signIn, sizes } from './browser.ts'
import { shiftsOf, watchShifts } from './layout-shift.ts'
import { NEXT, startUpgradeProxy, type UpgradeProxy } from './upgrade-proxy.ts'

const PHONE = { width: 390, height: 844 }
/** The address for visitors: the proxy in front of the server. */
const SITE = 'http://127.0.0.1:3985'
const PATIENCE = 30_000
let bank: TestBank
let served: Served
let proxy: UpgradeProxy
let browser: Browser
let token = ''

beforeAll(async () => {
  bank = await startTestBank({ ...bankKeys, webhookUrl: 'http://127.0.0.1:3986/api/stripe/webhook' })
  const payments = {
    STRIPE_SECRET_KEY: bankKeys.secretKey,
    STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
  served = await serve({ port: 3986, env: { ...OPERATOR, ...payments, BASE_URL: SITE, LIMITS: 'off' } })
  token = (await makeEventAt(served.url)).token
  proxy = await startUpgradeProxy(3985, served.url)
  browser = await launch()
}, 180_000)
// A page that stays open would continue to send requests.
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await served.stop()
  await bank.stop()
})

async function addEvent(name: string, fields: Partial<Input<typeof eventApi.save>> = {}): Promise<Event> {
  const [startsAt, endsAt] = [new Date('2030-06-21T17:00:00Z'), new Date('2030-06-21T21:00:00Z')]
  const input = { name, startsAt, endsAt, status: 'published' as const, ...fields }
  return (await callAt(served.url, eventApi.save, input, token)).payload
}

async function addTicket(event: Event, name: string): Promise<string> {
  const request = registrationFor(event, { name, email: 'guest@example.org' })
  const { savedRegistration } = (await callAt(served.url, registrationApi.initRegistration, request)).payload
  return `${SITE}/qr/${savedRegistration.id}/${savedRegistration.qrUuid}`
}

const addressOf = (event: Event) => `${SITE}/club/${event.clubId}/event/${event.id}`

async function taken(event: Event): Promise<number> {
  return (await callAt(served.url, eventApi.getEvent, { eventId: event.id })).payload.registrationCount
}

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail', { exact: true }).fill('guest@example.org')
  await page.getByLabel('Phone', { exact: true }).fill('+49 30 1234567')
}

/** The paths of the files stored on the device. */
const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    const kept = await (await caches.open('turnout-files')).keys()
    return kept.map(({ url }) => new URL(url).pathname)
  })

const isShown = async (page: Page) => {
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
  return page.locator('script[type="module"]').first().getAttribute('src')
}

async function openOffline(context: BrowserContext, address: string): Promise<void> {
  await context.setOffline(true)
  const page = await context.newPage()
  await page.goto(address)
  await page.getByText('You are offline.').waitFor()
  await page.getByRole('img', { name: 'QR code of this ticket' }).waitFor()
  await page.getByText('Correct your details').waitFor({ state: 'hidden' })
  await page.close()
  await context.setOffline(false)
}

test('a ticket opened once opens without network; tickets opened by staff are deleted when they sign out', async () => {
  const address = await addTicket(await addEvent('Kept'), 'Kaya Kept')
  const page = await openPage(browser, PHONE)
  await page.goto(address)
  await page.getByText('Kept on this device: it opens without network too.').waitFor()
  const context = page.context()
  await page.close()
  await openOffline(context, address)

  const staff = await openPage(browser, PHONE)
  await signIn(staff, { ...served, url: SITE }, { email: 'ana@example.org', password: 'correct horse 1' })
  await staff.goto(address)
  await staff.getByText('Kept on this device while you are signed in').waitFor()
  await openOffline(staff.context(), address)
  await staff.goto(`${SITE}/signout`)
  await staff.waitForURL(/signin/)
  const tickets = await staff.evaluate(() => caches.has('turnout-tickets-staff'))
  expect(tickets).toBe(false)
})

test('the old version opens completely until the new one is complete, and an open page of it loses nothing', async () => {
  const address = await addTicket(await addEvent('Upgrade'), 'Uma Upgrade')
  const page = await openPage(browser, PHONE)
  await page.goto(address)
  await page.getByText('Kept on this device').waitFor()
  const dropped = (await keptFiles(page)).find((name) => name.includes('poppins-latin-ext-600')) ?? ''
  expect(dropped).not.toBe('')
  try {
    proxy.deploy({ hasParts: false, drops: dropped })
    await page.reload()
    expect(await isShown(page)).not.toBe(NEXT)
    expect(await keptFiles(page)).not.toContain(NEXT)
    proxy.deploy({ hasParts: true, drops: dropped })
    // Any open page fetches the new version, which is used from the next load on; the first page is still of the old version.
    const other = await page.context().newPage()
    const opensNew = async () => {
      await other.goto(address)
      return (await isShown(other)) === NEXT
    }
    await until(opensNew, PATIENCE, 'the new version is kept and opens')
    await other.getByText('Kept on this device').waitFor()
    expect(await keptFiles(other)).toContain(dropped)
    await page.close()
    await other.reload()
    await until(async () => !(await keptFiles(other)).includes(dropped), PATIENCE, 'the old version is tidied away')
    expect(await isShown(other)).toBe(NEXT)
  } finally {
    proxy.deploy(null)
  }
})

test.each(['ticket', 'voucher'])('a stored version too old to read a %s is replaced by the new one', async (what) => {
  const ticket = await addTicket(await addEvent(`Too old for a ${what}`), 'Otto Old')
  const page = await openPage(browser, PHONE)
  await page.goto(ticket)
  await page.getByText('Kept on this device').waitFor()
  try {
    proxy.deploy({ hasParts: true, drops: 'nothing', isUnreadable: true })
    const opensNew = async () => {
      await page.goto(what === 'ticket' ? ticket : `${SITE}/qr/1/secret?type=voucher`)
      await page.getByRole('heading', { name: 'That did not work' }).waitFor()
      return (await page.locator('script[type="module"]').first().getAttribute('src')) === NEXT
    }
    expect(await opensNew()).toBe(false)
    await until(opensNew, PATIENCE, 'the new version opens')
  } finally {
    proxy.deploy(null)
  }
})

test('tickets are deleted from the device when the session that opened them ends elsewhere, and after their event', async () => {
  const address = await addTicket(await addEvent('Left behind'), 'Lara Left')
  const page = await openPage(browser, PHONE)
  await signIn(page, { ...served, url: SITE }, { email: 'ana@example.org', password: 'correct horse 1' })
  await page.goto(address)
  await page.getByText('Kept on this device while you are signed in').waitFor()
  const session = await page.evaluate(() => localStorage.getItem('token'))
  await callAt(served.url, authApi.signout, {}, session ?? '')
  await page.reload()
  await page.getByText('Your session has ended.').waitFor()
  await page.reload()
  await page.getByText('Kept on this device: it opens without network too.').waitFor()
  const isLeft = () =>
    page.evaluate(async () => {
      const name = 'turnout-tickets-staff'
      return (await caches.has(name)) && (await (await caches.open(name)).keys()).length > 0
    })
  await until(async () => !(await isLeft()), PATIENCE, 'what staff opened is gone')

  const kept = () =>
    page.evaluate(async () => {
      const all = await (await caches.open('turnout-tickets')).keys()
      return all.map(({ url }) => new URL(url).searchParams.get('qrUuid'))
    })
  await page.evaluate(async () => {
    const tickets = await caches.open('turnout-tickets')
    for (const [name, endsAt] of Object.entries({ over: '2020-06-21T21:00:00Z', ahead: '2030-06-21T21:00:00Z' })) {
      const answer = new Response(JSON.stringify({ payload: { event: { endsAt } } }))
      await tickets.put(`/api/registration/getRegistration?registrationId=999999&qrUuid=${name}`, answer)
    }
  })
  await page.goto(`${SITE}/forgot-password`)
  await until(async () => !(await kept()).includes('over'), PATIENCE, 'the ticket of long ago is gone')
  expect(await kept()).toContain('ahead')
})

test('on the way back from one event to another nothing of the first is shown', async () => {
  const [one, other] = [await addEvent('Back to one'), await addEvent('Away to the other')]
  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(one))
  await page.getByRole('link', { name: 'Rush Club' }).click()
  await page.getByRole('link', { name: other.name }).click()
  await page.getByRole('heading', { name: other.name }).waitFor()
  await fillIn(page, 'Olga Other')
  await page.evaluate(() => window.history.go(-2))
  await page.getByRole('heading', { name: one.name }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('')
  await page.goForward()
  await page.goForward()
  await page.getByRole('heading', { name: other.name }).waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Olga Other')
})

test('countries that failed to load are loaded again when the form is used', async () => {
  const page = await openPage(browser, PHONE)
  const wrong = listenForErrors(page, /Failed to load resource/)
  await page.route('**/phone-tools*', (route) => route.abort())
  const event = await addEvent('Countries', { timeZone: 'Europe/Berlin' })
  await page.goto(addressOf(event))
  // The page itself knows the calling code.
  await page.getByText('+49', { exact: true }).waitFor()
  const isAsked = page.waitForEvent('requestfailed', (asked) => asked.url().includes('phone-tools'))
  await page.getByLabel('Name').focus()
  await isAsked
  await page.unroute('**/phone-tools*')
  const hasCountries = async () => {
    await page.getByLabel('E-mail', { exact: true }).focus()
    await page.getByLabel('Name').focus()
    return (await page.getByLabel('Country of the phone number').locator('option').count()) > 100
  }
  await until(hasCountries, PATIENCE, 'the countries are there')
  expect(wrong).toEqual([])
})

test('after a lost answer for the last place the form stays, and a corrected name makes no second seat', async () => {
  const event = await addEvent('Last place', { maxAttendees: 2 })
  const page = await openPage(browser, PHONE)
  await page.goto(addressOf(event))
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('link', { name: 'Enter an e-mail' }).click()
  await page.locator('[name="email"]:focus').waitFor()
  await fillIn(page, 'Ida Lost')
  const faults = ['lost', 'turned down on the way']
  await page.route('**/api/registration/initRegistration', async (route) => {
    const fault = faults.shift()
    if (fault === undefined) return route.continue()
    if (fault !== 'lost') return route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Blocked</h1>' })
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Register' }).click()
  await until(async () => faults.length === 1, PATIENCE, 'the first try has been made')
  await page.getByText('No answer came').first().waitFor()
  // The second try gets no answer of ours either: the page must remember that the first one may have arrived.
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').getByText('Request failed with status code 403').first().waitFor()
  // Otherwise, this would take a second seat if one is left, and the form would be gone if none is left.
  await page.getByLabel('Name').fill('Ida Lost-Smith')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  await page.getByText('Your first try had arrived.').waitFor()
  const ticket = page.getByRole('region', { name: 'Ticket' })
  await ticket.getByText('Ida Lost').waitFor()
  expect(await ticket.textContent()).not.toContain('Smith')
  expect(await taken(event)).toBe(1)

  faults.push('lost')
  await page.goto(addressOf(event))
  await fillIn(page, 'Lea Last')
  await page.getByLabel('E-mail', { exact: true }).fill('lea@example.org')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('No answer came').first().waitFor()
  await page.reload()
  await page.getByText('All 2 places are taken.').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Lea Last')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { name: 'You are registered' }).waitFor()
  expect(await taken(event)).toBe(2)
})

test('a link to no ticket offers to mail it again, without a notice', async () => {
  const page = await openPage(browser, PHONE)
  await page.goto(`${SITE}/qr/1/nothing`)
  await page.getByRole('heading', { name: 'We cannot find this ticket' }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.notice').count()).toBe(0)
  await expectAccessible(page)
  await page.getByLabel('E-mail you registered with').fill('guest@example.org')
  await page.getByRole('button', { name: 'Send me my tickets' }).click()
  await page.getByText('Please check your e-mail').waitFor()
})

test('what is filled in stays when the last place goes, whatever the device’s clock says', async () => {
  const event = await addEvent('Gone', { maxAttendees: 1 })
  const page = await openPage(browser, PHONE)
  await page.addInitScript(() => {
    const ahead = 10 * 365 * 24 * 60 * 60_000
    const now = Date.now
    Date.now = () => now() + ahead
    window.Date = new Proxy(Date, {
      construct: (target, args) => Reflect.construct(target, args.length === 0 ? [target.now()] : args),
    })
  })
  await page.goto(`${SITE}/club/${event.clubId}/event`)
  await page.getByRole('link', { name: event.name }).click()
  await fillIn(page, 'Nora Next')
  const address = await addTicket(event, 'Finn First')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('The only place is taken.').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Nora Next')
  // This person is already registered, which is revealed only by mail.
  await fillIn(page, 'Finn First')
  await page.getByRole('button', { name: 'Register' }).click()
  await page
    .getByText(
      'This registration was not made. If you are already on the list, we have sent your ticket to that address again.',
    )
    .first()
    .waitFor()

  await page.goto(address)
  await page.getByText('You cannot come?').click()
  await page.getByRole('button', { name: 'Give my place back' }).click()
  await page.getByRole('button', { name: 'Keep my place' }).click()
  await page.getByText('Valid', { exact: true }).waitFor()
  expect(await taken(event)).toBe(1)
  const sheets = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g)
  expect(sheets).toHaveLength(1)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByText('Save as PDF').isVisible()).toBe(false)
  expect(await page.getByText('Sign in').isVisible()).toBe(false)
  expect(await page.getByText('Finn First').isVisible()).toBe(true)
  await page.emulateMedia({ media: null })
  // By keyboard: the focus stays on the chosen button when other parts of the page change.
  await page.getByRole('button', { name: 'Give my place back' }).press('Enter')
  await page.locator('button:focus', { hasText: 'Keep my place' }).press('Tab')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.locator('button:focus', { hasText: 'Yes, give it back' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Keep my place' }).click()
  await page.locator('button:focus', { hasText: 'Give my place back' }).waitFor()

  await callAt(served.url, eventApi.save, { id: event.id, status: 'cancelled' }, token)
  await page.reload()
  await page.getByText('We are sorry').waitFor()
  await expectAccessible(page)
  for (const gone of ['Save as PDF', 'You cannot come?', 'Correct your details'])
    expect(await page.getByText(gone).count()).toBe(0)
})

test.each(sizes)('nothing jumps while pages load on a $device', async ({ viewport }) => {
  const event = await addEvent(`Still ${viewport.width}`, { description: 'Music and **boats**. '.repeat(20) })
  const ticket = await addTicket(event, 'Stella Still')
  const context = await browser.newContext({ viewport })
  await watchShifts(context)
  try {
    for (const address of [`${SITE}/`, `${SITE}/club/${event.clubId}/event`, addressOf(event), ticket]) {
      const page = await context.newPage()
      await page.goto(address, { waitUntil: 'networkidle' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      const { score, moved } = await shiftsOf(page)
      expect(score, `${address}: ${moved.join('\n')}`).toBeLessThan(0.05)
      await page.close()
    }
  } finally {
    await context.close()
  }
})
