import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage, SUDO, signIn, sizes, sudoEnv } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 4042, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

const field = (page: Page) => page.getByRole('combobox', { name: 'Search events, people and actions' })
const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const status = (page: Page) => palette(page).getByRole('status')
const button = (page: Page) => page.getByRole('button', { name: 'Search', exact: true })
const hasFocus = (element: ReturnType<Page['getByRole']>) =>
  element.evaluate((each) => each === document.activeElement).catch(() => false)

/** Opens the search with its keys, once the page handles them. */
async function open(page: Page): Promise<void> {
  await button(page).waitFor()
  await page.keyboard.press('Control+k')
  await until(() => hasFocus(field(page)), 30_000, 'the field has the focus')
}

/** The text of the option that Enter would choose. */
function current(page: Page): Promise<string> {
  return field(page).evaluate((each) => {
    const id = each.getAttribute('aria-activedescendant') ?? ''
    const chosen = document.getElementById(id)
    return chosen?.getAttribute('aria-selected') === 'true' ? (chosen.textContent ?? '') : ''
  })
}

const event = (name: string, year: number, status = 'published') => ({
  name,
  startsAt: `${year}-06-21T19:00:00Z`,
  endsAt: `${year}-06-21T23:00:00Z`,
  status,
})

describe.each(sizes)('on a $device', ({ device, viewport }) => {
  test('staff reach any event, section and attendee without a mouse', async () => {
    const page = await openClub(browser, served, `Keys${device} club`)
    const wrong = listenForErrors(page)
    await page.setViewportSize(viewport)
    const { id: eventId } = await post(page, 'event/save', regatta)
    for (const each of [event('Fête d’Été', 2031, 'draft'), event('Late fête', 2029), event('Past fête', 2020)])
      await post(page, 'event/save', each)
    await add(page, eventId, 'José Sailor')
    await page.reload()

    await open(page)
    await option(page, /^Regatta/).waitFor()
    await expectAccessible(page)
    expect(await current(page)).toContain('Late fête')
    await page.keyboard.type('FETE')
    await until(async () => (await status(page).textContent()) === '3 results', 30_000, 'the count is announced')
    const names = () => palette(page).getByRole('option').allTextContents()
    expect((await names()).map((name) => name.replace(/\d.*/, '').trim())).toEqual([
      'Fête d’Été',
      'Late fête',
      'Past fête',
    ])
    expect(await current(page)).toMatch(/Fête d’Été.*Draft/)
    await page.keyboard.press('End')
    expect(await current(page)).toMatch(/Past fête.*Over/)
    await page.keyboard.press('ArrowDown')
    expect(await current(page)).toContain('Fête d’Été')
    await page.keyboard.press('ArrowUp')
    expect(await current(page)).toContain('Past fête')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    expect(await current(page)).toContain('Late fête')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Fête d’Été', level: 1 }).waitFor()
    await palette(page).waitFor({ state: 'detached' })

    await open(page)
    await page.keyboard.type('regat')
    await option(page, /^Regatta/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Regatta', level: 1 }).waitFor()
    await open(page)
    await page.keyboard.type('scanner')
    await until(async () => (await current(page)) === 'Door', 30_000, 'other words find a section')
    await field(page).fill('jose sai')
    await option(page, /José Sailor/).waitFor()
    await expectAccessible(page)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/palette-${device}.png` })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('heading', { name: 'José Sailor' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/event/${eventId}/attendees`)

    // Over the panel: one Escape closes the search alone.
    await open(page)
    await page.keyboard.type('nobody at all')
    await until(async () => /^Nothing found for/.test((await status(page).textContent()) ?? ''), 30_000, 'it says so')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
    const panel = page.getByRole('dialog')
    expect(await panel.getByRole('heading', { name: 'José Sailor' }).count()).toBe(1)
    // Escape works as soon as the panel has the focus again.
    await until(() => panel.evaluate((box) => box.contains(document.activeElement)), 30_000, 'the panel has the focus')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })

    await button(page).click()
    await option(page, 'Overview').waitFor()
    await page.keyboard.press('Escape')
    await until(() => hasFocus(button(page)), 30_000, 'the focus is where it was')
    expect(wrong).toEqual([])
    await page.context().close()
  })
})

test('the search does what can be done with the open event, and asks before work is lost', async () => {
  const page = await openClub(browser, served, 'Doing things')
  const { id: eventId } = await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/event/${eventId}/edit`)
  await page.getByLabel('Name').fill('Regatta 2')
  await open(page)
  await page.keyboard.type('add some')
  await option(page, 'Add somebody').waitFor()
  await page.keyboard.press('Enter')
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leave.getByRole('button', { name: 'Stay here' }).click()
  await leave.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name').inputValue()).toBe('Regatta 2')
  await open(page)
  await option(page, 'Add somebody').click()
  await leave.getByRole('button', { name: 'Leave' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add somebody' })
  await dialog.getByLabel('Name').fill('Ida')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Ida', exact: true }).waitFor()
  // It was asked for once.
  await page.reload()
  await page.getByRole('button', { name: 'Ida', exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)

  const file = page.waitForEvent('download')
  await open(page)
  await page.keyboard.type('spreadsheet')
  await option(page, 'Export the attendees').waitFor()
  await page.keyboard.press('Enter')
  expect((await file).suggestedFilename()).toMatch(/\.xlsx$/)

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page)
  await page.keyboard.type('copy link')
  await option(page, /^Copy the link/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`/club/\\d+/event/${eventId}$`))

  await open(page)
  await page.keyboard.type('duplicate')
  await option(page, 'Duplicate the event').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => /event\/\d+\/edit/.test(url.pathname) && !url.pathname.includes(`/${eventId}/`))
  await page.getByText('Copied as a draft.').waitFor()
  await page.getByLabel('Name').waitFor()

  await open(page)
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await page.waitForURL(/signin/)
  expect(await button(page).count()).toBe(0)
  await page.context().close()
})

test('a late answer to an older search is not shown, and a failed search can be repeated', async () => {
  const page = await openClub(browser, served, 'Late answers')
  const { id: eventId } = await post(page, 'event/save', regatta)
  for (const name of ['Adam', 'Bodil']) await add(page, eventId, name)
  await page.goto(`${served.url}/event/${eventId}`)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isDown = false
  let answered = 0
  // The overview reads the latest registrations with the same call.
  await page.route(/getAttendees\?.*searchKeyword=\w/, async (route) => {
    if (isDown) return route.abort()
    if (route.request().url().includes('searchKeyword=ad')) await released
    await route.continue()
    answered++
  })
  await open(page)
  const asked = page.waitForRequest(/searchKeyword=ad/)
  await page.keyboard.type('ad')
  await asked
  await field(page).fill('bod')
  await option(page, /^Bodil/).waitFor()
  const late = page.waitForResponse(/searchKeyword=ad/)
  release()
  await late
  await until(() => Promise.resolve(answered === 2), 30_000, 'the late answer is there')
  expect(await option(page, /^Adam/).count()).toBe(0)
  expect(await current(page)).toMatch(/^Bodil/)

  isDown = true
  await field(page).fill('adam')
  const failed = palette(page).getByRole('alert').filter({ hasText: 'The attendees could not be searched.' })
  await failed.waitFor()
  await expectAccessible(page)
  isDown = false
  await failed.getByRole('button', { name: 'Try again' }).click()
  await option(page, /^Adam/).waitFor()
  await failed.waitFor({ state: 'detached' })
  await page.context().close()
})

test('the operator finds clubs and the operator’s pages, and no staff’s actions', async () => {
  await (await openClub(browser, served, 'Rowing at Øresund')).context().close()
  const page = await openPage(browser)
  await signIn(page, served, SUDO)
  await open(page)
  await option(page, 'Add a club').waitFor()
  expect(await option(page, /event$|somebody/).count()).toBe(0)
  await page.keyboard.type('oresund cred')
  await option(page, 'Rowing at Øresund: admins').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(/club\/\d+\/credential/)
  await page.getByRole('heading', { name: /Rowing/, level: 1 }).waitFor()
  await open(page)
  await page.keyboard.type('privacy')
  await option(page, 'Edit “Privacy policy”').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Privacy policy', level: 1 }).waitFor()
  await page.context().close()
})

describe.each(sizes)('on a $device', ({ device, viewport }) => {
  test('“?” lists the shortcuts, and those of one key can be switched off', async () => {
    const page = await openClub(browser, served, `Help${device} club`)
    await page.setViewportSize(viewport)
    const { id: eventId } = await post(page, 'event/save', regatta)
    await add(page, eventId, 'José Sailor')
    await page.goto(`${served.url}/event/${eventId}/attendees`)
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.waitFor()
    await button(page).waitFor()
    await page.keyboard.press('/')
    await until(() => hasFocus(search), 30_000, 'the search of the list has the focus')
    // In a field both are text.
    await page.keyboard.type('?/')
    expect(await search.inputValue()).toBe('?/')
    expect(await shortcuts(page).count()).toBe(0)
    // By now nothing loads any more.
    await page.getByText('Nobody matches.').waitFor()

    await page.getByRole('button', { name: 'Export' }).focus()
    await page.keyboard.press('?')
    await shortcuts(page).getByText('Go to the search field of the list').waitFor()
    await expectAccessible(page)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/shortcuts-${device}.png` })
    await shortcuts(page).getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await shortcuts(page).waitFor({ state: 'detached' })
    await until(() => hasFocus(page.getByRole('button', { name: 'Export' })), 30_000, 'the focus is where it was')

    await page.reload()
    await button(page).waitFor()
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    // With Ctrl they work as before, and the search still leads to the list.
    await open(page)
    expect(await shortcuts(page).count()).toBe(0)
    await page.keyboard.type('keyboard')
    await option(page, 'Keyboard shortcuts').waitFor()
    await page.keyboard.press('Enter')
    const single = shortcuts(page).getByRole('switch', { name: 'Single-key shortcuts' })
    expect(await single.isChecked()).toBe(false)
    await single.click()
    await page.keyboard.press('Escape')
    await shortcuts(page).waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await shortcuts(page).waitFor()
    await page.context().close()
  })
})

test('a phone, which has no keyboard, is not offered the shortcuts', async () => {
  const context = (await openClub(browser, served, 'Touching club')).context()
  const storageState = await context.storageState()
  await context.close()
  const phone = await browser.newContext({
    storageState,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  phone.setDefaultTimeout(30_000)
  const page = await phone.newPage()
  await page.goto(`${served.url}/dashboard/admin`)
  await page.getByLabel(/^Account:/).click()
  await page.getByRole('link', { name: 'Sign out' }).waitFor()
  expect(await page.getByRole('button', { name: 'Keyboard shortcuts' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await button(page).click()
  await option(page, 'Sign out').waitFor()
  expect(await option(page, 'Keyboard shortcuts').count()).toBe(0)
  await phone.close()
})

test('the scanner’s page has neither search nor shortcuts, because scanners type there', async () => {
  const page = await openClub(browser, served, 'Scanning club')
  const { id: eventId } = await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/event/${eventId}/attendees`)
  await open(page)
  await page.keyboard.type('door')
  await option(page, 'Door').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/scanner/)
  await page.getByRole('button', { name: 'Settings' }).waitFor()
  expect(await button(page).count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.press('?')
  // The page has handled both keys when it has handled a later one.
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog').first().waitFor()
  expect(await palette(page).count()).toBe(0)
  expect(await shortcuts(page).count()).toBe(0)
  await page.context().close()
})

test('duplicated from its settings, the settings are the copy’s: saving them leaves the original alone', async () => {
  const page = await openClub(browser, served, 'Copying club')
  const { id: eventId } = await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/event/${eventId}/edit`)
  await page.getByLabel('Capacity').waitFor()
  await open(page)
  await page.keyboard.type('Duplicate')
  await option(page, /Duplicate/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => /\/event\/\d+\/edit$/.test(url.pathname) && !url.pathname.includes(`/${eventId}/`))
  const copyId = Number(/event\/(\d+)/.exec(page.url())?.[1])
  await page.getByRole('button', { name: 'Save and publish' }).waitFor()
  await page.getByLabel('Name', { exact: false }).first().fill('The copy')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByRole('heading', { name: 'The copy', level: 1 }).waitFor()
  const nameOf = async (id: number) =>
    (await (await fetch(`${served.url}/api/event/getEvent?eventId=${id}`)).json()).payload?.name
  expect(await nameOf(eventId)).toBe(regatta.name)
  // A draft is not public.
  expect(await nameOf(copyId)).toBeUndefined()
  await page.context().close()
})
