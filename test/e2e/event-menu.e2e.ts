import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as paths from '../../src/web/paths.ts'
import { type Served, serve, until } from '../support/serve.ts'
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
  await page.getByRole('button', { name: 'Actions for Regatta' }).click()
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
  const more = page.getByRole('button', { name: 'Actions for Regatta' })
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

test('date and time are typed, or chosen from a calendar and two lists', async () => {
  const page = await openClub(browser, served, 'Calendar club')
  await page.goto(served.url + paths.addEvent)
  const starts = page.getByRole('textbox', { name: 'Starts' })
  await starts.fill('21/06/2030 19:07')
  const open = page.getByRole('button', { name: 'Choose date and time: Starts' })
  await open.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Hour').selectOption('20')
  expect(await starts.inputValue()).toBe('21/06/2030 20:07')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: '22 June 2030' }).click()
  await dialog.getByLabel('Minute').selectOption('30')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await starts.inputValue()).toBe('22/06/2030 20:30')
  expect(await open.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.getByText('Saturday', { exact: true }).first().waitFor()
  // The end follows, also with a time that is chosen before there is a day.
  const ends = page.getByRole('textbox', { name: 'Ends' })
  expect(await ends.inputValue()).toMatch(/^2[23]\/06\/2030 /)
  await ends.fill('')
  await page.getByRole('button', { name: 'Choose date and time: Ends' }).click()
  await dialog.getByLabel('Hour').selectOption('23')
  expect(await ends.inputValue()).toBe('')
  await dialog.getByRole('button', { name: /^15 / }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await ends.inputValue()).toMatch(/^15\/\d\d\/\d{4} 23:00$/)
  // Whoever types needs no calendar; opened again, it shows what was typed.
  await open.click()
  await starts.click()
  await dialog.waitFor({ state: 'detached' })
  expect(await starts.evaluate((field) => field === document.activeElement)).toBe(true)
  await starts.fill('03/08/2031 10:00')
  await open.click()
  await dialog.getByRole('button', { name: '3 August 2031', pressed: true }).waitFor()
  await page.context().close()
})

test('on a small and low screen, the calendar fits and the keyboard reaches the time below it', async () => {
  const page = await openClub(browser, served, 'Small club')
  await page.setViewportSize({ width: 320, height: 480 })
  await page.goto(served.url + paths.addEvent)
  const starts = page.getByRole('textbox', { name: 'Starts' })
  await starts.fill('21/06/2030 19:00')
  await page.getByRole('button', { name: 'Choose date and time: Starts' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '21 June 2030' }).focus()
  await page.keyboard.press('Tab')
  await dialog.getByLabel('Hour').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  expect(await starts.inputValue()).toBe('21/06/2030 20:00')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.context().close()
})

test('a form that cannot be saved counts its problems, and opens the folded section only for one of its fields', async () => {
  const page = await openClub(browser, served, 'Hasty club')
  await page.goto(served.url + paths.addEvent)
  const limit = page.getByLabel('Registrations for each e-mail address')
  const publish = page.getByRole('button', { name: 'Save and publish' })
  await publish.click()
  await page.getByText('Not saved: 3 problems').waitFor()
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
  expect(await limit.isVisible()).toBe(false)
  await page.getByLabel('Name').fill('Hasty')
  await page.getByRole('textbox', { name: 'Starts' }).fill('21/06/2030 19:00')
  // The end follows.
  await page.keyboard.press('Tab')
  await page.locator('summary', { hasText: 'When and how people register' }).click()
  await limit.fill('many')
  await page.locator('summary', { hasText: 'When and how people register' }).click()
  await publish.click()
  await page.getByText('Not saved: 1 problem').waitFor()
  await limit.and(page.locator(':focus')).waitFor()
  await page.context().close()
})

test('the sections of an event stay beside its scanner where there is room for them', async () => {
  const page = await openClub(browser, served, 'Roomy club')
  const { id } = await post(page, 'event/save', regatta)
  await page.goto(served.url + paths.scanner(id))
  const sections = page.locator('nav[data-nav=event]')
  await sections.getByRole('link', { name: 'Attendees' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await sections.waitFor({ state: 'detached' })
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

test('on a phone the menu is a sheet that ignores the second of two taps; on a wide screen it does not cover its button', async () => {
  const page = await openClub(browser, served, 'Two taps')
  await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/dashboard/admin`)
  const more = page.getByRole('button', { name: 'More for Regatta' })
  const wholeMenu = async () => {
    await page.getByRole('menuitem', { name: 'Remove the event' }).waitFor()
    return await page.getByRole('menu').boundingBox()
  }
  await more.click()
  const menu = await wholeMenu()
  const button = await more.boundingBox()
  expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })

  const storageState = await page.context().storageState()
  const context = await browser.newContext({ viewport: { width: 390, height: 600 }, hasTouch: true, storageState })
  context.setDefaultTimeout(30_000)
  const phone = await context.newPage()
  await phone.goto(`${served.url}/dashboard/admin`)
  // In the page itself, because a tap from here may come too late to be the second of two.
  const secondTap = phone.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        new MutationObserver((_, observer) => {
          const entry = document.querySelector('[role=menuitem]')
          if (!entry) return
          observer.disconnect()
          const tap = new PointerEvent('click', { pointerType: 'touch', bubbles: true, cancelable: true })
          entry.dispatchEvent(tap)
          resolve(tap.defaultPrevented)
        }).observe(document.body, { subtree: true, childList: true })
      }),
  )
  await phone.getByRole('button', { name: 'More for Regatta' }).tap()
  expect(await secondTap).toBe(true)
  await phone.getByRole('menuitem', { name: 'Remove the event' }).waitFor()
  await expectAccessible(phone)
  const sheet = await phone.getByRole('menu').boundingBox()
  expect(sheet).toMatchObject({ x: 0, width: 390 })
  expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBe(600)
  const settings = phone.getByRole('menuitem', { name: 'Settings' })
  const isThere = () => phone.url().endsWith('/edit')
  await until(
    async () => {
      if (!isThere()) await settings.tap({ timeout: 1000 }).catch(() => {})
      return isThere()
    },
    30_000,
    'a later tap opens the settings',
  )
  await context.close()
  await page.context().close()
})
