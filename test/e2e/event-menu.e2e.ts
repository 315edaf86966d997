import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3949 })
  browser = await launch()
}, 180_000)
afterAll(async () => {
  await browser.close()
  await served.stop()
})

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'More for Regatta' }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Types the event's name into the dialog, which it needs before it does anything. */
async function confirm(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByRole('button', { name: action }).isDisabled()).toBe(true)
  await dialog.getByLabel(/to confirm/).fill('Regatta')
  await dialog.getByRole('button', { name: action }).click()
}

test('an event is duplicated, cancelled and removed from its own pages', async () => {
  const page = await openClub(browser, served, 'Menu club')
  // While the dashboard opens, the page may read the removed event again.
  const wrong = listenForErrors(page, /status of 404/)
  const { id } = await post(page, 'event/save', regatta)
  await add(page, id, 'Ada')
  await page.goto(`${served.url}/event/${id}`)
  const more = page.getByRole('button', { name: 'More for Regatta' })
  await more.click()
  await page.getByRole('menuitem', { name: 'View the page' }).waitFor()
  await expectAccessible(page)
  // The event's sections are beside the page already.
  expect(await page.getByRole('menuitem', { name: 'Settings' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })

  await choose(page, 'Cancel the event')
  await page.getByRole('dialog').getByText('the one person who is registered is told by e-mail').waitFor()
  await confirm(page, 'Cancel the event')
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/event/${id}`)
  expect(await more.evaluate((button) => button === document.activeElement)).toBe(true)

  await choose(page, 'Duplicate')
  await page.waitForURL((url) => /^\/event\/\d+\/edit$/.test(url.pathname) && !url.pathname.includes(`/${id}/`))
  await page.getByLabel('Name').waitFor()
  const copy = Number(/\d+/.exec(new URL(page.url()).pathname)?.[0])
  await choose(page, 'Remove the event')
  await confirm(page, 'Remove the event')
  await page.waitForURL(/dashboard/)
  await page.getByRole('heading', { name: 'Regatta', level: 3 }).waitFor()
  expect(await page.locator(`a[href="/event/${copy}"]`).count()).toBe(0)
  expect(wrong).toEqual([])
  await page.context().close()
})

test('cancelling from the settings leads to the overview, which says so', async () => {
  const page = await openClub(browser, served, 'Settings club')
  const { id } = await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/event/${id}/edit`)
  await choose(page, 'Cancel the event')
  await confirm(page, 'Cancel the event')
  await page.waitForURL((url) => url.pathname === `/event/${id}`)
  await page.getByText('Cancelled', { exact: true }).waitFor()
  await page.context().close()
})
