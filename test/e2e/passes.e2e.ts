import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, launch, openPage, openSection, signIn } from './browser.ts'
import {
  ANA,
  beep,
  type DoorFixture,
  expectVerdict,
  nextPlease,
  PHONE,
  prepare,
  startDoorFixture,
} from './door-set-up.ts'

let fixture: DoorFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startDoorFixture(3977)
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await fixture.served.stop()
})

async function openHelpers(viewport?: typeof PHONE): Promise<Page> {
  const page = await openPage(browser, viewport)
  await signIn(page, fixture.served, ANA)
  await page.goto(`${fixture.served.url}/event/${fixture.event.id}`)
  await openSection(page, 'Helpers')
  await page.getByRole('heading', { name: 'Helpers', level: 1 }).waitFor()
  return page
}

/** Adds a helper on the page of helpers; returns the link of the pass. */
async function addHelper(page: Page, name: string, also: string[] = []): Promise<string> {
  await page.getByRole('button', { name: 'Add a helper' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a helper' })
  await dialog.getByLabel('Name of the helper').fill(name)
  for (const ability of also) await dialog.getByLabel(ability).check()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const made = page.getByRole('dialog', { name: `Pass for ${name}` })
  await made.getByRole('img', { name: `QR code with the pass of ${name}` }).waitFor()
  await expectAccessible(page)
  const link = await made.locator('code').innerText()
  await made.getByRole('button', { name: 'Done' }).click()
  await made.waitFor({ state: 'detached' })
  return link
}

async function newPhone(): Promise<Page> {
  const context = await browser.newContext({ viewport: PHONE, permissions: ['camera'], reducedMotion: 'reduce' })
  await prepare(context)
  return context.newPage()
}

async function openPass(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: 'Open the scanner' }).click()
}

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const isIn = async (name: string) => {
  const found = (await fixture.attendees()).find(({ registration }) => registration.registrationData.name === name)
  return found?.checkin?.status === true
}

test('a helper opens a pass with its link and scans; nothing else opens with it, and no second phone', async () => {
  const guest = await fixture.guest('Gil Guest')
  const staff = await openHelpers(PHONE)
  await staff.getByText('No helpers yet').waitFor()
  await staff.getByRole('button', { name: 'Add a helper' }).click()
  const dialog = staff.getByRole('dialog', { name: 'Add a helper' })
  await dialog.getByLabel('Scan tickets').uncheck()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await dialog.getByText('Enter the helper’s name.').waitFor()
  await dialog.getByText('Let them scan tickets, redeem vouchers, or both.').waitFor()
  await expectAccessible(staff)
  await staff.keyboard.press('Escape')
  // Not the form's own button of the same name, which the question covers.
  const leave = staff.getByRole('dialog', { name: 'Close without saving?' })
  await leave.getByRole('button', { name: 'Close without saving' }).click()
  const link = await addHelper(staff, 'Hal Helper')
  await row(staff, 'Hal Helper').getByText('Not opened yet.').waitFor()

  const phone = await newPhone()
  await phone.goto(link)
  await phone.getByRole('heading', { name: `Help at ${fixture.event.name}` }).waitFor()
  await expectAccessible(phone)
  // The answer is lost the first time; the same phone may try again.
  let isLost = true
  await phone.route('**/api/pass/openPass', async (route) => {
    if (!isLost) return route.continue()
    isLost = false
    await route.fetch()
    await route.abort()
  })
  await phone.getByRole('button', { name: 'Open the scanner' }).click()
  await phone.getByRole('alert').waitFor()
  await phone.getByRole('button', { name: 'Open the scanner' }).click()
  await phone.getByText('Up to date').waitFor()
  await beep(phone, fixture.codeOf(guest))
  await expectVerdict(phone, 'in', 'Gil Guest')
  await nextPlease(phone)
  await expectAccessible(phone)
  // Only what the pass allows is there.
  await phone.getByLabel('Name or code').waitFor()
  expect(await phone.getByRole('button', { name: 'Add somebody' }).count()).toBe(0)
  expect(await phone.getByRole('link', { name: /Dashboard|event/i }).count()).toBe(0)
  for (const path of ['/dashboard', '/profile', '/team', `/event/${fixture.event.id}/attendees`]) {
    await phone.goto(fixture.served.url + path)
    await phone.waitForURL(/scanner\/main$/)
  }

  const second = await newPhone()
  await openPass(second, link)
  await second.getByText('This pass is open on another phone.').waitFor()
  await row(staff, 'Hal Helper')
    .getByText(/^Open on Chrome/)
    .waitFor()
  // A new link is for another phone: the first one is signed out.
  await staff.getByRole('button', { name: 'More for Hal Helper' }).click()
  await staff.getByRole('menuitem', { name: 'Make a new link' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'Make a new link' }).click()
  const renewed = staff.getByRole('dialog', { name: 'Pass for Hal Helper' })
  await openPass(second, await renewed.locator('code').innerText())
  await second.getByText('Up to date').waitFor()
  await phone.getByRole('heading', { name: 'Your pass has ended' }).waitFor()
  for (const page of [staff, phone, second]) await page.context().close()
})

test('a pass that is revoked while its phone is offline: what was shown before counts, and the list is deleted', async () => {
  const [before, after] = [await fixture.guest('Bea Before'), await fixture.guest('Ada After')]
  const staff = await openHelpers()
  const link = await addHelper(staff, 'Rae Revoked', ['Redeem vouchers'])
  const phone = await newPhone()
  await openPass(phone, link)
  await phone.getByText('Up to date').waitFor()
  await phone.getByText('Works offline').waitFor()
  await phone.context().setOffline(true)
  await phone.getByText('No network').waitFor()
  await beep(phone, fixture.codeOf(before))
  await expectVerdict(phone, 'in', 'Bea Before')
  await nextPlease(phone)

  await staff.getByRole('button', { name: 'More for Rae Revoked' }).click()
  await staff.getByRole('menuitem', { name: 'Revoke the pass' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'Revoke the pass' }).click()
  await staff.getByText('Pass revoked.').waitFor()
  await staff.getByText('1 pass that has ended').click()
  await row(staff, 'Rae Revoked').getByText('Revoked on').waitFor()
  await expectAccessible(staff)

  await beep(phone, fixture.codeOf(after))
  await expectVerdict(phone, 'in', 'Ada After')
  await phone.context().setOffline(false)
  await phone.getByRole('heading', { name: 'Your pass has ended' }).waitFor()
  await phone.getByText('All scans of this phone have been sent.').waitFor()
  await expectAccessible(phone)
  expect([await isIn('Bea Before'), await isIn('Ada After')]).toEqual([true, false])
  expect(await fixture.conflicts()).toMatchObject([{ name: 'Ada After', scan: { by: 'Rae Revoked' } }])
  // Nothing of it opens again, with network or without.
  await phone.reload()
  await phone.getByRole('heading', { name: 'Your pass has ended' }).waitFor()
  await phone.goto(link)
  await phone.getByText('This pass has ended, or its link was replaced.').waitFor()
  for (const page of [staff, phone]) await page.context().close()
})
