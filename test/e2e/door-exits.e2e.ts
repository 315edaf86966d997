import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { callAt } from '../support/remote.ts'
import { expectAccessible, launch, openPage, signIn } from './browser.ts'
import { ANA, beep, type DoorFixture, expectVerdict, openPhone, startDoorFixture } from './door-set-up.ts'

let fixture: DoorFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startDoorFixture(4033)
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await fixture.served.stop()
})

test('people go out and come back, also without network; the phone and the organisers see who is inside', async () => {
  const { served } = fixture
  const staff = await openPage(browser)
  await signIn(staff, served, ANA)
  await callAt(served.url, eventApi.save, { id: fixture.event.id, allowsReentry: true }, fixture.token)
  const [ada, bo] = [await fixture.guest('Ada Moreau'), await fixture.guest('Bo Ek')]
  const phone = await openPhone(browser, fixture)
  const inside = phone.locator('main header li').first()
  for (const guest of [ada, bo]) {
    await beep(phone, fixture.codeOf(guest))
    await expectVerdict(phone, 'in', guest.registrationData.name)
  }
  await inside.getByText('2 of 2 in').waitFor()

  await phone.getByText('Out', { exact: true }).click()
  expect(await phone.getByRole('button', { name: 'Add somebody' }).count()).toBe(0)
  await expectAccessible(phone)
  await beep(phone, fixture.codeOf(ada))
  await expectVerdict(phone, 'in', /Out[\s\S]*Ada Moreau/)
  await inside.getByText('1 of 2 in').waitFor()
  await beep(phone, fixture.codeOf(ada))
  await expectVerdict(phone, 'refused', /Not inside[\s\S]*Ada Moreau/)
  await staff.goto(`${served.url}/event/${fixture.event.id}/door`)
  await staff.getByText('1 of them outside now').waitFor()
  await staff.goto(`${served.url}/event/${fixture.event.id}/attendees`)
  await staff.getByText(/Out since/).waitFor()
  await staff
    .getByRole('button', { name: 'Ada Moreau' })
    .or(staff.getByRole('link', { name: 'Ada Moreau' }))
    .first()
    .click()
  await staff
    .getByRole('dialog')
    .getByText(/Out since/)
    .waitFor()

  // Without network, in both directions; what was taken back leaves things as they were.
  await phone.context().setOffline(true)
  await phone.getByText('No network').waitFor()
  await beep(phone, fixture.codeOf(bo))
  await expectVerdict(phone, 'in', /Out[\s\S]*Bo Ek/)
  await inside.getByText('0 of 2 in').waitFor()
  await phone.getByText('In', { exact: true }).click()
  await beep(phone, fixture.codeOf(ada))
  await expectVerdict(phone, 'in', /Back in[\s\S]*Ada Moreau/)
  await inside.getByText('1 of 2 in').waitFor()
  await beep(phone, fixture.codeOf(bo))
  await expectVerdict(phone, 'in', /Back in[\s\S]*Bo Ek/)
  await phone.getByRole('button', { name: 'Take back Bo Ek' }).first().click()
  // The button is gone: the row has the focus instead.
  expect(await phone.evaluate(() => document.activeElement?.textContent)).toContain('Bo Ek')
  await inside.getByText('1 of 2 in').waitFor()
  await phone.context().setOffline(false)
  await phone.getByText('All sent').waitFor()
  await inside.getByText('1 of 2 in').waitFor()
  await staff.reload()
  const row = (name: string) => staff.getByRole('row').filter({ hasText: name })
  await row('Bo Ek')
    .getByText(/Out since/)
    .waitFor()
  expect(
    await row('Ada Moreau')
      .getByText(/Out since/)
      .count(),
  ).toBe(0)

  // Somebody without a code is found by name.
  await phone.getByLabel('Name or code').fill('Bo')
  await phone
    .getByText(/Out since/)
    .or(phone.getByRole('button', { name: 'Let Bo Ek in' }))
    .first()
    .waitFor()
  await phone.getByRole('button', { name: 'Let Bo Ek in' }).click()
  await expectVerdict(phone, 'in', /Back in[\s\S]*Bo Ek/)
  await inside.getByText('2 of 2 in').waitFor()
  expect(await fixture.conflicts()).toEqual([])

  // Once exits are switched off, nobody comes back, and the verdict does not say that they are inside.
  const out = phone.locator('label').filter({ hasText: /^Out$/ })
  await out.click()
  await beep(phone, fixture.codeOf(bo))
  await expectVerdict(phone, 'in', /Out[\s\S]*Bo Ek/)
  await callAt(served.url, eventApi.save, { id: fixture.event.id, allowsReentry: false }, fixture.token)
  await out.waitFor({ state: 'detached' })
  await beep(phone, fixture.codeOf(bo))
  await expectVerdict(phone, 'already', /Has left[\s\S]*Bo Ek/)
})
