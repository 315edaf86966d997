import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi } from '../../src/contract/door.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import { visitorTicketTypeApi } from '../../src/contract/ticket-type.ts'
import { makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, openPage, signIn } from './browser.ts'

let served: Served
let browser: Browser
let event: Event

beforeAll(async () => {
  served = await serve({ port: 3938, env: { ...OPERATOR, LIMITS: 'off' } })
  event = (await makeEventAt(served.url)).event
  browser = await launch()
}, 180_000)
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** Opens a page and answers none of these calls before all of them were made. */
async function openHoldingBack(page: Page, address: string, calls: readonly { path: string }[]): Promise<void> {
  const missing = new Set(calls.map(({ path }) => path))
  let release = () => {}
  const allMade = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    ({ pathname }) => missing.has(pathname),
    async (route) => {
      missing.delete(new URL(route.request().url()).pathname)
      if (missing.size === 0) release()
      await allMade
      await route.continue()
    },
  )
  await page.goto(served.url + address)
  await allMade
}

test('the pages of staff request their data at once, and have a title before the data arrive', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await openHoldingBack(page, '/dashboard/admin', [clubApi.getClub, eventApi.getAllEvents, clubApi.getNeeds])
  await page.getByRole('heading', { name: 'Rush Club' }).waitFor()
  await openHoldingBack(page, `/event/${event.id}/form`, [
    eventApi.getEvent,
    formApi.getFormQuestions,
    visitorTicketTypeApi.getTicketTypes,
  ])
  await page.getByRole('heading', { name: 'Registration form' }).waitFor()
  await openHoldingBack(page, `/event/${event.id}/attendees`, [eventApi.getEvent, doorApi.getConflicts])
  await page.getByRole('heading', { name: 'Attendees' }).waitFor()
  await page.waitForFunction(() => document.title === 'Attendees: Rush | Turnout')
  await page.getByRole('link', { name: 'Statistics' }).click()
  await page.waitForFunction(() => document.title === 'Statistics: Rush | Turnout')
  await page.goBack()
  await page.waitForFunction(() => document.title === 'Attendees: Rush | Turnout')
  await page.route(`**${eventApi.getEvent.path}*`, () => {})
  await page.goto(`${served.url}/event/${event.id}/vouchers`)
  await page.waitForFunction(() => document.title === 'Vouchers | Turnout')
})

test('somebody without a club is redirected from the pages of clubs to their own', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: OPERATOR.SUDO_EMAIL, password: OPERATOR.SUDO_PASSWORD })
  for (const address of ['/event/add', `/event/${event.id}/form`, `/event/${event.id}/attendees`, '/dashboard/admin']) {
    await page.goto(served.url + address)
    await page.waitForURL('**/dashboard/sudo')
  }
})

test('the operator sees what is set up, how server and database are, and sends a test mail', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: OPERATOR.SUDO_EMAIL, password: OPERATOR.SUDO_PASSWORD })
  await page.getByRole('main').getByRole('link', { name: 'Platform' }).click()
  await page.getByRole('heading', { level: 1, name: 'Platform' }).waitFor()
  await page.getByText(`The pages are at ${served.url}.`).waitFor()
  await page.getByText('The address does not use https.').waitFor()
  await page.getByText(/^PostgreSQL \d+/).waitFor()
  await page.getByText('There is none at the moment.').waitFor()
  const send = page.getByRole('button', { name: 'Send a test mail to yourself' })
  await send.click()
  await page.getByText('The mail was written into the folder outbox').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
})

test('the dashboard comes with few requests and without the interface kit; a page’s code is loaded before its link is pressed', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${served.url}/dashboard/admin`)
  await page.getByRole('heading', { name: 'Rush', level: 3 }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(20)
  const kit = () => asked.filter((path) => path.startsWith('/assets/staff-'))
  expect(kit()).toEqual([])
  const code = page.waitForResponse(/AttendeesPage-.*\.js/)
  await page.getByRole('link', { name: 'Attendees' }).focus()
  await code
  expect(kit()).not.toEqual([])
  expect(page.url()).toContain('/dashboard/admin')
  const more = page.getByRole('button', { name: 'More for Rush' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Statistics' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('the dashboard looks the same whether or not a page of the interface kit was open before', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  const text = () =>
    page.evaluate(() => {
      const { fontFamily, fontSize, color, lineHeight } = getComputedStyle(document.body)
      return { fontFamily, fontSize, color, lineHeight }
    })
  await page.getByRole('heading', { name: 'Rush', level: 3 }).waitFor()
  const first = await text()
  await page.getByRole('link', { name: 'Add an event' }).click()
  await page.getByRole('heading', { name: 'Add an event' }).waitFor()
  expect(await text()).toEqual(first)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('heading', { name: 'Rush', level: 3 }).waitFor()
  expect(await text()).toEqual(first)
})

test('a menu that cannot be loaded is reported, and opens at the next press', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await page.getByRole('heading', { name: 'Rush', level: 3 }).waitFor()
  await page.context().setOffline(true)
  const more = page.getByRole('button', { name: 'More for Rush' })
  await more.click()
  await page.getByText('This part of the page could not be loaded.').waitFor()
  await page.context().setOffline(false)
  await more.click()
  await page.getByRole('menuitem', { name: 'Statistics' }).waitFor()
})

test('pointing at a link whose code is gone after an upgrade leaves the page alone; pressing it reloads the page', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await page.getByRole('heading', { name: 'Rush', level: 3 }).waitFor()
  await page.route(/AttendeesPage-.*\.js/, (route) => route.fulfill({ status: 404 }))
  await page.evaluate(() => document.body.setAttribute('data-first', ''))
  // Before a page reloads, it checks whether its part is really gone.
  const looked: string[] = []
  page.on('request', (request) => request.method() === 'HEAD' && looked.push(request.url()))
  const gone = page.waitForResponse(/AttendeesPage-.*\.js/)
  const link = page.getByRole('link', { name: 'Attendees' })
  await link.focus()
  await gone
  // Any reaction to the answer has happened by the time another page's code has been loaded the same way.
  const other = page.waitForResponse(/EventFormPage-.*\.js/)
  await page.getByRole('link', { name: 'Add an event' }).focus()
  await other
  await page.evaluate(() => fetch('/favicon.svg', { method: 'HEAD' }))
  expect(looked.filter((url) => url.includes('AttendeesPage'))).toEqual([])
  expect(await page.locator('body[data-first]').count()).toBe(1)
  // Another part that is being loaded ahead must not hide that this one was asked for.
  await page.route(/StatisticsPage-.*\.js/, () => {})
  const pending = page.waitForRequest(/StatisticsPage-.*\.js/)
  await page.evaluate(() => {
    const rare = document.body.appendChild(document.createElement('a'))
    rare.href = '/event/1/statistics'
    rare.textContent = 'Statistics'
  })
  await page.getByRole('link', { name: 'Statistics' }).focus()
  await pending
  const anew = page.waitForEvent('load')
  await link.click()
  await anew
  expect(await page.locator('body[data-first]').count()).toBe(0)
})

test('on a phone the rare sections are behind “More”, which Escape and a press elsewhere close', async () => {
  const page = await openPage(browser, { width: 390, height: 844 })
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await page.goto(`${served.url}/event/${event.id}`)
  const menu = page.getByRole('navigation', { name: 'Event' })
  const vouchers = menu.getByRole('link', { name: 'Vouchers' })
  await menu.locator('summary').focus()
  await page.keyboard.press('Enter')
  await vouchers.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await vouchers.waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('More')
  await menu.getByText('More').click()
  await vouchers.waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await vouchers.waitFor({ state: 'hidden' })
})

test('a browser that stores nothing shows an explanation at sign-in', async () => {
  const page = await openPage(browser)
  await page.addInitScript(() => {
    const blocked = {
      get: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, blocked)
  })
  await page.goto(`${served.url}/signin`)
  await page.getByLabel('E-mail', { exact: true }).fill('ana@example.org')
  await page.getByLabel('Password', { exact: true }).fill('correct horse 1')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This browser keeps nothing for this site').waitFor()
})
