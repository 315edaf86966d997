import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { extrasApi } from '../../src/contract/extras.ts'
import { callAt } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, sudoEnv } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3994, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

test('in a long list only the visible rows are refreshed, and all matches can be selected', async () => {
  const page = await openClub(browser, served, 'Long list')
  const wrong = listenForErrors(page)
  const { id: eventId } = await post(page, 'event/save', regatta)
  const names = Array.from({ length: 430 }, (_, n) => `Guest ${n + 1}`)
  for (let from = 0; from < names.length; from += 43)
    await Promise.all(names.slice(from, from + 43).map((name) => add(page, eventId, name)))
  const long = 'Wolfeschlegelsteinhausenbergerdorff '.repeat(3).trim()
  await add(page, eventId, long)
  const extras = { eventId, name: 'Drink', description: '', price: 0, content: [], maxQuantity: null }
  await post(page, 'event/saveExtras', { payload: extras })
  await page.goto(`${served.url}/event/${eventId}/attendees`)
  await page.getByText('431 attendees').waitFor()

  // On phones the list shows cards, in which even the longest name is not cut off.
  const head = page.getByRole('columnheader', { name: 'E-mail' })
  expect((await head.boundingBox())?.width).toBeGreaterThan(100)
  await page.setViewportSize({ width: 599, height: 900 })
  await until(async () => ((await head.boundingBox())?.width ?? 0) < 100, 30_000, 'the list is one of cards')
  await page.setViewportSize({ width: 390, height: 844 })
  const cut = await page
    .getByRole('button', { name: long, exact: true })
    .evaluate((name) => name.scrollWidth - name.clientWidth)
  expect(cut).toBeLessThanOrEqual(1)
  // Nor are the labels of the bulk action buttons.
  await page.getByLabel(`Choose ${long}`).check()
  const labels = page
    .getByRole('region', { name: 'With those chosen' })
    .getByRole('button')
    .locator('.mantine-Button-label')
  await labels.first().waitFor()
  const overflow = await labels.evaluateAll((all) => all.map((label) => label.scrollWidth - label.clientWidth))
  expect(overflow.every((width) => width <= 0)).toBe(true)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, `Choose ${long}`)
  await page.setViewportSize({ width: 1440, height: 900 })

  const first = page.getByRole('button', { name: 'Guest 1', exact: true })
  await until(
    async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      return first.isVisible()
    },
    60_000,
    'the end of the list is in view',
  )
  let reads = 0
  page.on('request', (request) => {
    if (request.url().includes('getAttendees?')) reads += 1
  })
  await first.click()
  const panel = page.getByRole('dialog')
  await panel.getByRole('button', { name: 'Check in', exact: true }).click()
  const row = page.getByRole('row').filter({ has: first })
  await row.getByText(/^In /).waitFor()
  await panel.getByText('Checked in by Sam Sailor').waitFor()
  expect(reads).toBeLessThanOrEqual(3)
  await panel.getByRole('button', { name: 'Close' }).click()

  // Back leads to the list, not to the panel that was closed, and the search follows the address.
  await page.getByLabel('Search').fill('guest 42')
  await page.getByText('14 attendees found').waitFor()
  await page.getByLabel('Choose Guest 420').check()
  await page.getByRole('button', { name: 'Guest 421', exact: true }).click()
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await page.getByText('14 attendees found').waitFor()
  expect(await page.getByLabel('Search').inputValue()).toBe('guest 42')

  // A selection does not survive a change of the filter; all matches can be selected, loaded or not.
  const bar = page.getByRole('region', { name: 'With those chosen' })
  await bar.getByText('1 of 14 chosen').waitFor()
  await page.getByLabel('Search').fill('guest')
  await page.getByText('430 attendees found').waitFor()
  expect(await bar.count()).toBe(0)
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByRole('checkbox', { name: /^Choose all/ }).check()
  await bar.getByText('100 of 430 chosen').waitFor()
  await bar.getByRole('button', { name: 'Choose all 430' }).click()
  await bar.getByText('430 of 430 chosen').waitFor()
  await bar.getByRole('button', { name: 'Check in' }).click()
  await page.getByText('429 checked in. 1 stayed as it was').waitFor()

  await page.getByLabel('Vouchers').selectOption('Redeemed')
  await page.getByText('Nobody matches.').waitFor()
  await page.getByRole('button', { name: 'Show everybody' }).click()
  await page.getByText('431 attendees').waitFor()
  expect(await page.getByLabel('Search').inputValue()).toBe('')
  expect(wrong).toEqual([])
  await page.context().close()
})

test('a dialog keeps its input, focuses the first error, and reports an edit conflict', async () => {
  const page = await openClub(browser, served, 'Dialogs')
  const { id: eventId } = await post(page, 'event/save', regatta)
  const ada = await add(page, eventId, 'Ada')
  await page.goto(`${served.url}/event/${eventId}/attendees`)
  await page.getByRole('button', { name: 'Ada', exact: true }).click()
  await page.getByRole('button', { name: 'Edit details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit details' })
  const leave = page.getByRole('dialog', { name: 'Close without saving?' })
  const name = dialog.getByLabel('Name')
  await name.fill('Ada L')
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await leave.waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await leave.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Ada L')

  await name.fill('')
  await dialog.getByLabel('E-mail').fill('nobody')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('2 fields need your attention.').waitFor()
  expect(await name.evaluate((field) => field === document.activeElement)).toBe(true)

  await name.fill('Ada L')
  await dialog.getByLabel('E-mail').fill('')
  const registrationData = { name: 'Ada of the others', email: '', phone: '', others: [] }
  await post(page, 'registration/save', { payload: { id: ada.id, eventId, registrationData, extrasIds: [] } })
  for (const { device, width, height } of [
    { device: 'phone', width: 390, height: 844 },
    { device: 'desktop', width: 1440, height: 900 },
  ]) {
    await page.setViewportSize({ width, height })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const conflict = dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await conflict.waitFor()
    await until(() => conflict.evaluate((box) => box === document.activeElement), 30_000, `it is seen on a ${device}`)
    await expectAccessible(page)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/conflict-${device}.png` })
  }
  expect(await name.inputValue()).toBe('Ada L')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await until(async () => (await name.inputValue()) === 'Ada of the others', 30_000, 'the latest is loaded')
  await until(() => name.evaluate((field) => field === document.activeElement), 30_000, 'the first field has the focus')
  // There is no unsaved input now, so one Escape closes this dialog and leaves the panel below it open.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit details' }).waitFor()

  // The name has to be typed each time the dialog opens, with spaces as they are shown.
  await page.goto(`${served.url}/dashboard/admin`)
  await post(page, 'event/save', { ...regatta, name: 'Two  spaces', status: 'draft' })
  await page.reload()
  const remove = async () => {
    await page.getByRole('button', { name: /More for Two/ }).click()
    await page.getByRole('menuitem', { name: 'Remove the event' }).click()
  }
  await page.route(
    '**/api/event/removeEvent*',
    (route) => route.fulfill({ status: 409, json: { msg: 'Not now.', code: 'INVALID_INPUT' } }),
    { times: 1 },
  )
  await remove()
  const field = page.getByRole('dialog').getByLabel(/to confirm/)
  await field.fill('Two spaces')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the event' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await remove()
  // Chosen within a moment of the dialog's closing, it is sometimes not opened on a busy machine: people would load the page again.
  await field.waitFor({ timeout: 5_000 }).catch(async () => {
    await page.reload()
    await remove()
  })
  expect(await field.inputValue()).toBe('')
  await field.fill('Two spaces')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the event' }).click()
  await page.getByRole('heading', { name: /Two/, level: 3 }).waitFor({ state: 'detached' })
  await page.context().close()
})

test('a club begins with its browser’s zone and currency; its form counts and links what is wrong; vouchers move as often as told', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'Asia/Tokyo' })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  await page.goto(`${served.url}/register`)
  await page.getByLabel('Name of the club').fill('Tokyo club')
  await page.getByLabel('Your name').fill('Sam Sailor')
  await page.getByLabel('Your e-mail').fill('tokyo@example.org')
  await page.getByLabel(/^Password/).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.getByRole('link', { name: 'Add an event' }).click()
  await page.getByText('Its times are in Asia/Tokyo, its price in JPY').waitFor()
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo')
  expect(await page.getByLabel('Currency').inputValue()).toBe('jpy')
  const event = await post(page, 'event/save', {
    ...regatta,
    timeZone: 'Asia/Kolkata',
    currency: 'kwd',
    ticketPrice: 0,
  })

  // The stored zone is shown even if this browser uses another name for it; another club's form is not.
  await page.goto(`${served.url}/event/${event.id}/edit`)
  await page.getByLabel('Time zone').waitFor()
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Kolkata')
  const place = page.getByLabel('Place (optional)')
  const border = () => place.evaluate((field) => getComputedStyle(field).borderTopColor)
  // The colour moves to its place for a moment while the page is new.
  await until(async () => (await border()) === 'rgb(132, 132, 160)', 10_000, 'the field has the border of a field')
  await page.goto(`${served.url}/club/edit/${event.clubId}`)
  await page.getByText('TC', { exact: true }).waitFor()
  await page.goto(`${served.url}/club/edit/${event.clubId === 1 ? 2 : 1}`)
  await page.waitForURL(/not-found/)

  await page.goto(`${served.url}/event/${event.id}/form`)
  for (let n = 1; n <= 2; n += 1) {
    await page.getByRole('button', { name: 'Add a question' }).click()
    await page
      .getByRole('region', { name: `Question ${n}` })
      .getByLabel('Type')
      .selectOption('Dropdown')
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const problem = page.getByRole('alert').filter({ hasText: 'need your attention' })
  const links = problem.getByRole('link')
  expect(await problem.textContent()).toContain(`${await links.count()} fields need your attention`)
  // Two empty texts, and twice two empty options.
  expect(await links.count()).toBe(6)
  await expectAccessible(page)
  await links.last().click()
  const active = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await until(async () => (await active()) === 'Option 2', 30_000, 'the link leads to the field')
  await page.getByRole('button', { name: 'Remove question 1' }).click()
  await until(async () => (await active()) === 'Remove question 1', 30_000, 'the next question has the focus')
  await page.getByRole('button', { name: 'Remove question 1' }).click()
  await page.goto(`${served.url}/dashboard/admin`)

  for (const name of ['a', 'b', 'c', 'd']) {
    const extras = { eventId: event.id, name, description: '', price: 0, content: [], maxQuantity: null }
    await post(page, 'event/saveExtras', { payload: extras })
  }
  await page.goto(`${served.url}/event/${event.id}/vouchers`)
  const up = page.getByRole('button', { name: 'Move d up' })
  await up.waitFor()
  await up.evaluate((button) => {
    for (let n = 0; n < 3; n += 1) if (button instanceof HTMLElement) button.click()
  })
  const order = async () => (await page.locator('main ol h2').allTextContents()).map((text) => text[0]).join('')
  await until(async () => (await order()) === 'dabc', 30_000, 'the last is the first')
  const saved = async () => (await callAt(served.url, extrasApi.getExtras, { eventId: event.id })).payload
  await until(async () => (await saved()).map(({ name }) => name).join('') === 'dabc', 30_000, 'each move is saved')
  await page.reload()
  await up.waitFor()
  expect(await order()).toBe('dabc')

  const more = page.getByRole('button', { name: 'More for a' })
  const takeOff = async () => {
    await more.click()
    await page.getByRole('menuitem', { name: 'Take off sale' }).click()
  }
  const question = page.getByRole('dialog', { name: 'Take a off sale?' })
  await takeOff()
  await question.getByText('It cannot be undone.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await until(() => more.evaluate((each) => each === document.activeElement), 30_000, 'the focus is where it was')
  await takeOff()
  await question.getByRole('button', { name: 'Take it off sale' }).click()
  await until(async () => (await order()) === 'dbc', 30_000, 'it is gone')
  await page.context().close()
})

test('the overview shows who registered last, and says when few places are left', async () => {
  const page = await openClub(browser, served, 'Overview Club')
  const { id: eventId } = await post(page, 'event/save', { ...regatta, maxAttendees: 8 })
  await page.goto(`${served.url}/event/${eventId}`)
  await page.getByRole('heading', { name: 'Registration is open' }).waitFor()
  await page.getByRole('heading', { name: 'Share it' }).waitFor()
  const copy = page.getByRole('region', { name: 'Share it' }).getByRole('button', { name: 'Copy' })
  expect(await copy.count()).toBe(1)
  expect(await page.getByRole('region', { name: 'Latest registrations' }).count()).toBe(0)

  for (const name of ['Ann', 'Bea', 'Cem', 'Dag', 'Eva']) await add(page, eventId, name)
  await page.reload()
  const latest = page.getByRole('region', { name: 'Latest registrations' })
  await latest.getByText('5 in the last 14 days').waitFor()
  // Three of eight places are more than a quarter.
  await page.getByRole('heading', { name: 'Registration is open' }).waitFor()
  await add(page, eventId, 'Fay')
  await page.reload()
  await page.getByText('Only 2 left').waitFor()
  await page.getByRole('heading', { name: 'Only a few places are left' }).waitFor()
  expect(await copy.count()).toBe(1)
  await latest.getByRole('link', { name: 'Fay' }).waitFor()
  const shown = latest.getByRole('listitem').getByRole('link')
  expect(await shown.allTextContents()).toEqual(['Fay', 'Eva', 'Dag', 'Cem', 'Bea'])
  await expectAccessible(page)
  await shown.first().click()
  await page.getByRole('dialog', { name: /^#/ }).getByRole('heading', { name: 'Fay' }).waitFor()
  await page.context().close()
})

test('the account’s menu is the same on a phone and beside the page; Escape closes it', async () => {
  const page = await openClub(browser, served, 'Menu Club')
  const account = page.getByLabel('Account: Sam Sailor')
  for (const width of [320, 820, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await account.click()
    await page.getByRole('link', { name: 'Sign out' }).waitFor()
    await page.getByRole('group').getByRole('link', { name: 'Profile' }).waitFor()
    // Beside the page there is room for the club's pages outside of the menu.
    const clubPages = width < 1280 ? page.getByRole('group') : page.getByRole('navigation', { name: 'Club' })
    await clubPages.getByRole('link', { name: 'Club page' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Sign out' }).waitFor({ state: 'hidden' })
    expect(await account.evaluate((button) => button === document.activeElement)).toBe(true)
  }
  await account.click()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await account.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.context().close()
})
