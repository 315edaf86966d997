import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3978, env: { LIMITS: 'off' } })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

test('an owner finds who changed what, narrows it down, shares the address, and saves it', async () => {
  const owner = await openClub(browser, served, 'Remembering Club')
  const wrong = listenForErrors(owner)
  const { id: eventId, clubId } = await post(owner, 'event/save', regatta)
  const other = await post(owner, 'event/save', { ...regatta, name: 'Committee dinner' })
  await post(owner, 'event/save', { id: eventId, maxAttendees: 40, description: 'Bring oilskins.' })
  const { id } = await add(owner, eventId, 'Ada Moreau')
  await post(owner, 'registration/updateStatus', { payload: { id, eventId, status: 'cancelled' } })
  await owner.reload()
  await owner.getByLabel('Account: Sam Sailor').click()
  await owner.getByRole('link', { name: 'History' }).click()
  await owner.getByRole('heading', { name: 'History' }).waitFor()
  await owner.getByText('6 entries shown').waitFor()
  const entries = owner.locator('[data-entry]')
  expect(await entries.first().innerText()).toMatch(/Registration cancelled.*Ada Moreau[\s\S]*by Sam Sailor.*Regatta/)
  expect(await entries.nth(2).innerText()).toMatch(
    /Event edited[\s\S]*Capacity\s+No limit → 40\s+Description\s+changed/,
  )
  await expectAccessible(owner)

  // With the keyboard alone.
  await owner.getByLabel('Event').focus()
  await owner.keyboard.type('Committee')
  await owner.getByText('1 entry shown').waitFor()
  expect(new URL(owner.url()).searchParams.get('event')).toBe(String(other.id))
  await owner.getByLabel('Subject').selectOption('Team')
  await owner.getByText('Nothing matches these filters.').waitFor()
  await expectAccessible(owner)
  await owner.reload()
  await owner.getByText('Nothing matches these filters.').waitFor()
  // Its name comes with the list of events.
  await owner
    .getByLabel('Event')
    .locator('option:checked', { hasText: 'Committee dinner' })
    .waitFor({ state: 'attached' })
  await owner.goBack()
  await owner.getByText('1 entry shown').waitFor()
  // Two choices before the page has rendered the first.
  await owner.evaluate(() => {
    for (const [label, value] of [
      ['Event', ''],
      ['Subject', 'attendees'],
    ]) {
      const select = [...document.querySelectorAll('select')].find(({ labels }) => labels[0]?.textContent === label)
      if (!select) throw new Error(`no ${label}`)
      select.value = value ?? ''
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }
  })
  await owner.getByText('2 entries shown').waitFor()
  const saved = owner.waitForEvent('download')
  await owner.getByRole('button', { name: 'Export' }).click()
  expect((await saved).suggestedFilename()).toMatch(new RegExp(`^History-club-${clubId}-\\d{8}T\\d{6}\\.xlsx$`))
  await owner.getByRole('link', { name: 'Ada Moreau' }).first().click()
  await owner.getByRole('dialog').getByText('Ada Moreau').first().waitFor()
  await owner.goBack()
  await owner.getByText('2 entries shown').waitFor()
  expect(wrong).toEqual([])
  await owner.context().close()
})

test('a long history is shown page by page, and the focus goes on where it left off', async () => {
  const owner = await openClub(browser, served, 'Long Club')
  const wrong = listenForErrors(owner, /ERR_INTERNET_DISCONNECTED/)
  const { id } = await post(owner, 'event/save', regatta)
  for (let places = 1; places <= 60; places++) await post(owner, 'event/save', { id, maxAttendees: places })
  await owner.goto(`${served.url}/history?event=${id}`)
  await owner.getByText('50 entries shown').waitFor()
  const earlier = owner.getByRole('button', { name: 'Show earlier' })
  await owner.context().setOffline(true)
  await earlier.click()
  await owner.getByText('Earlier entries could not be loaded.').waitFor()
  await owner.context().setOffline(false)
  await owner.getByRole('button', { name: 'Try again' }).focus()
  await owner.keyboard.press('Enter')
  await owner.getByText('61 entries shown').waitFor()
  // The sixty changes of the same event are folded, with what came in between.
  const fold = owner.locator('summary', { hasText: '60 entries' })
  await fold.and(owner.locator(':focus')).waitFor()
  expect(await earlier.count()).toBe(0)
  const change = owner.getByText('Capacity', { exact: true }).nth(30)
  expect(await change.isVisible()).toBe(false)
  await expectAccessible(owner)
  await owner.keyboard.press('Enter')
  await change.waitFor()
  await expectAccessible(owner)
  const ids = await owner.locator('[data-entry]').evaluateAll((all) => all.map((each) => each.dataset.entry))
  expect(new Set(ids).size).toBe(61)
  expect(wrong).toEqual([])
  await owner.context().close()
})

test('a manager reads it, also on a phone; a helper is led home', async () => {
  const owner = await openClub(browser, served, 'Roles Club')
  const { clubId } = await post(owner, 'event/save', regatta)
  const person = { password: 'lantern and rope 5', clubId }
  for (const [fullName, teamRole] of [
    ['Mia', 'manager'],
    ['Dora', 'door'],
  ])
    await post(owner, 'appUser/save', { payload: { ...person, fullName, email: `${fullName}@example.org`, teamRole } })
  await owner.context().close()
  for (const [name, isLedHome] of [
    ['Mia', false],
    ['Dora', true],
  ] as const) {
    const page = await openPage(browser, { width: 390, height: 844 })
    await page.goto(`${served.url}/history`)
    await page.getByLabel('E-mail').fill(`${name}@example.org`)
    await page.getByLabel('Password', { exact: true }).fill('lantern and rope 5')
    await page.getByRole('button', { name: 'Sign in' }).click()
    if (isLedHome) await page.waitForURL(/dashboard\/admin/)
    else {
      await page.getByText('Added to the team').first().waitFor()
      await expectAccessible(page)
    }
    await page.context().close()
  }
})
