import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { doorApi } from '../../src/contract/door.ts'
import { type Event, eventApi } from '../../src/contract/events.ts'
import { formApi } from '../../src/contract/forms.ts'
import { makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve } from '../support/serve.ts'
import { launch, openPage, signIn } from './browser.ts'

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

/** Opens a page while none of these calls is answered before all of them were made. */
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

test('the pages of staff ask for their data at once, and have a title before they have them', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: 'ana@example.org', password: 'correct horse 1' })
  await openHoldingBack(page, '/dashboard/admin', [clubApi.getClub, eventApi.getAllEvents, clubApi.getNeeds])
  await page.getByRole('heading', { name: 'Rush Club' }).waitFor()
  await openHoldingBack(page, `/event/${event.id}/form`, [eventApi.getEvent, formApi.getFormQuestions])
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

test('somebody without a club is led from the pages of clubs to their own', async () => {
  const page = await openPage(browser)
  await signIn(page, served, { email: OPERATOR.SUDO_EMAIL, password: OPERATOR.SUDO_PASSWORD })
  for (const address of ['/event/add', `/event/${event.id}/form`, `/event/${event.id}/attendees`, '/dashboard/admin']) {
    await page.goto(served.url + address)
    await page.waitForURL('**/dashboard/sudo')
  }
})
