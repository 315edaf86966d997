import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage, sizes, sudoEnv } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3995, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** A club with an event and these guests, the last of them first in its list. */
async function openList(name: string, guests: string[]) {
  const page = await openClub(browser, served, name)
  const wrong = listenForErrors(page)
  const { id: eventId } = await post(page, 'event/save', regatta)
  const ids: Record<string, number> = {}
  for (const guest of guests) ids[guest] = (await add(page, eventId, guest)).id
  await page.goto(`${served.url}/event/${eventId}/attendees`)
  await page.getByText(`${guests.length} attendees`).waitFor()
  return { page, eventId, ids, wrong }
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Attendees by status' }).getByRole('link', { name })
const names = (page: Page) => page.locator('[data-attendee]').allTextContents()
const shows = (page: Page, ...wanted: string[]) =>
  until(async () => (await names(page)).join() === wanted.join(), 30_000, `the list shows ${wanted.join()}`)
const hasFocus = (page: Page, name: string) =>
  until(
    async () => (await page.evaluate(() => document.activeElement?.textContent)) === name,
    30_000,
    `${name} has the focus`,
  )

test('tabs count everybody once, in the search too; old links get a tab of their own', async () => {
  const { page, eventId, ids, wrong } = await openList('Tabs', ['Ada', 'Ben', 'Cem', 'Ann'])
  await post(page, 'checkin/save', { payload: { newCheckin: { registrationId: ids.Ben, status: true }, eventId } })
  await post(page, 'registration/updateStatus', { payload: { id: ids.Cem, eventId, status: 'cancelled' } })
  await page.reload()
  for (const name of ['All 4', 'Not in yet 2', 'Arrived 1', 'Cancelled 1']) await tab(page, name).waitFor()
  // Nothing has to be paid here.
  expect(await tab(page, 'Not paid').count()).toBe(0)
  expect(await page.getByRole('columnheader', { name: 'Paid' }).count()).toBe(0)
  await tab(page, 'Arrived 1').click()
  await shows(page, 'Ben')
  expect(page.url()).toContain('status=confirmed&checkin=true')
  expect(await tab(page, 'Arrived 1').getAttribute('aria-current')).toBe('page')
  await tab(page, 'Not in yet 2').click()
  await shows(page, 'Ann', 'Ada')
  await page.getByLabel('Search').fill('an')
  await tab(page, 'Not in yet 1').waitFor()
  for (const name of ['All 1', 'Arrived 0', 'Cancelled 0']) await tab(page, name).waitFor()

  // Checked in from its tab, somebody leaves the list, and the next one is still a step away.
  await page.getByLabel('Search').fill('')
  await shows(page, 'Ann', 'Ada')
  await page.getByRole('button', { name: 'Ann', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click()
  await tab(page, 'Arrived 2').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'Ada' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.goto(`${served.url}/event/${eventId}/attendees?status=confirmed`)
  await tab(page, 'Confirmed 3').waitFor()
  await shows(page, 'Ann', 'Ben', 'Ada')
  expect(wrong).toEqual([])
  await page.context().close()
})

test('the heads of the columns sort; the columns chosen are there after a reload', async () => {
  const { page, eventId, ids } = await openList('Columns', ['Cem', 'Ada', 'Ben'])
  const head = (name: string) => page.getByRole('columnheader', { name })
  expect(await head('Registered').getAttribute('aria-sort')).toBe('descending')
  await head('Name').getByRole('button').click()
  await shows(page, 'Ada', 'Ben', 'Cem')
  expect(await head('Name').getAttribute('aria-sort')).toBe('ascending')
  expect(await head('Registered').getAttribute('aria-sort')).toBe('none')
  await post(page, 'checkin/save', { payload: { newCheckin: { registrationId: ids.Cem, status: true }, eventId } })
  await head('Check-in').getByRole('button').click()
  await shows(page, 'Cem', 'Ben', 'Ada')
  expect(page.url()).toContain('sort=checkin')

  const question = { typeId: 1, text: 'Meal', required: false, options: [], showAtDoor: false }
  await post(page, 'form/save', { payload: { eventId, formQuestions: [question], rmQIds: [] } })
  await page.reload()
  const opener = page.getByRole('button', { name: 'Columns' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const entry = (name: string) => page.getByRole('menuitemcheckbox', { name })
  // By keyboard, the first entry has the focus.
  await hasFocus(page, 'E-mail')
  await page.keyboard.press('Enter')
  await head('E-mail').waitFor({ state: 'detached' })
  expect(await entry('E-mail').getAttribute('aria-checked')).toBe('false')
  await entry('Meal').click()
  await head('Meal').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await hasFocus(page, 'Columns')
  await page.reload()
  await head('Meal').waitFor()
  expect(await head('E-mail').count()).toBe(0)
  // Without the head that sorts by it, the order of registration is in a select.
  await opener.click()
  await entry('Registered').click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Sort').selectOption('Newest first')
  await shows(page, 'Ben', 'Ada', 'Cem')
  await opener.click()
  await page.getByRole('menuitem', { name: 'Back to the usual columns' }).click()
  await head('E-mail').waitFor()
  expect(await head('Meal').count()).toBe(0)
  await page.context().close()
})

test('arrow keys, Home and End step through the list and through the panel, but not in a menu or a dialog', async () => {
  const guests = Array.from({ length: 60 }, (_, n) => `Guest ${n + 1}`)
  const { page, wrong } = await openList('Keys', guests)
  const name = (n: number) => page.getByRole('button', { name: `Guest ${n}`, exact: true })
  await name(60).focus()
  await page.keyboard.press('ArrowDown')
  await hasFocus(page, 'Guest 59')
  await page.keyboard.press('End')
  await hasFocus(page, 'Guest 1')
  await page.keyboard.press('ArrowUp')
  await hasFocus(page, 'Guest 2')
  await page.keyboard.press('Home')
  await hasFocus(page, 'Guest 60')

  await page.keyboard.press('Enter')
  const title = (n: number) => page.getByRole('heading', { name: `Guest ${n}`, exact: true }).waitFor()
  await title(60)
  await page.getByText('1 of 60').waitFor()
  await page.keyboard.press('ArrowDown')
  await title(59)
  await page.keyboard.press('End')
  await title(1)
  const next = page.getByRole('button', { name: 'Next attendee' })
  await next.focus()
  await page.keyboard.press('ArrowUp')
  await title(2)
  await page.keyboard.press('Enter')
  await title(1)
  await page.getByText('60 of 60').waitFor()
  expect(await next.evaluate((each) => each === document.activeElement)).toBe(true)
  await page.keyboard.press('ArrowUp')
  await title(2)

  const more = page.getByRole('dialog').getByRole('button', { name: 'More' })
  await more.focus()
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Open the ticket')
  await expectAccessible(page)
  const entries = await page.getByRole('menuitem').allTextContents()
  expect(entries.slice(-2)).toEqual(['Cancel the registration', 'Remove for good'])
  await page.keyboard.press('ArrowDown')
  await hasFocus(page, 'Share on WhatsApp')
  await title(2)
  await page.keyboard.press('Escape')
  await hasFocus(page, 'More')
  await page.getByRole('button', { name: 'Edit details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  await dialog.getByLabel('Name').press('Home')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await hasFocus(page, 'Edit details')
  await title(2)
  for (const entry of ['Cancel the registration', 'Remove for good']) {
    await more.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: entry }).press('Enter')
    const keep = page.getByRole('button', { name: 'Keep it' })
    await keep.press('Enter')
    await keep.waitFor({ state: 'detached' })
    await hasFocus(page, 'More')
  }
  // The focus returns to who was open last, far from where it began.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await hasFocus(page, 'Guest 2')
  expect(wrong).toEqual([])
  await page.context().close()
})

test('on a phone a name is high on the screen, and those chosen have one row that covers no name at the end', async () => {
  const guests = Array.from({ length: 12 }, (_, n) => `Guest ${n + 1}`)
  const { page, eventId } = await openList('Phone', guests)
  const phone = await openPage(browser, sizes[0]?.viewport)
  const storage = await page.context().storageState()
  await phone.context().addInitScript(
    (items) => {
      for (const { name, value } of items) localStorage.setItem(name, value)
    },
    storage.origins.flatMap(({ localStorage: items }) => items),
  )
  await phone.goto(`${served.url}/event/${eventId}/attendees`)
  const first = phone.getByRole('button', { name: 'Guest 12', exact: true })
  await first.waitFor()
  expect((await first.boundingBox())?.y).toBeLessThan(380)
  // Without vouchers there is nothing to filter by.
  expect(await phone.getByRole('button', { name: 'Filters' }).count()).toBe(0)
  const extras = { eventId, name: 'Drink', description: '', price: 0, content: [], maxQuantity: null }
  await post(page, 'event/saveExtras', { payload: extras })
  await phone.reload()
  await phone.getByRole('button', { name: 'Filters' }).waitFor()
  expect(await phone.getByLabel('Vouchers').isVisible()).toBe(false)
  await phone.getByRole('button', { name: 'Filters' }).click()
  await phone.getByLabel('Vouchers').selectOption('Not Redeemed')
  await phone.getByText('Nobody matches.').waitFor()
  await phone.getByRole('button', { name: 'Filters (1)' }).waitFor()
  await phone.getByRole('button', { name: 'Show everybody' }).click()
  await phone.getByLabel('Sort').selectOption('By name')
  await until(async () => (await names(phone))[0] === 'Guest 1', 30_000, 'it is sorted by name')

  await phone.getByRole('checkbox', { name: /^Choose all/ }).check()
  const bar = phone.getByRole('region', { name: 'With those chosen' })
  await bar.getByText('12 of 12 chosen').waitFor()
  await expectAccessible(phone)
  await phone.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const last = await phone.getByRole('button', { name: 'Guest 9', exact: true }).boundingBox()
  const box = await bar.boundingBox()
  expect(box?.height).toBeLessThanOrEqual(64)
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0)
  await bar.getByRole('button', { name: 'More for those chosen' }).click()
  await phone.getByRole('menuitem', { name: 'Cancel registrations' }).waitFor()
  await expectAccessible(phone)
  await phone.context().close()
  await page.context().close()
})
