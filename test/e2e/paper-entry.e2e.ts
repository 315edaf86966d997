import { afterAll, beforeAll, expect, test } from 'vitest'
import { shortCode } from '../../src/contract/values/ticket-codes.ts'
import { expectAccessible, launch, openPage, signIn } from './browser.ts'
import { ANA, type DoorFixture, startDoorFixture } from './door-set-up.ts'

let fixture: DoorFixture
beforeAll(async () => {
  fixture = await startDoorFixture(4002)
})
afterAll(() => fixture.served.stop())

test('the ticked rows of the paper list are entered with the keyboard alone', async () => {
  const [ada, bob, cleo] = [await fixture.guest('Ada'), await fixture.guest('Bob'), await fixture.guest('Cleo')]
  const browser = await launch()
  const page = await openPage(browser, { width: 320, height: 700 })
  await signIn(page, fixture.served, ANA)
  await page.goto(`${fixture.served.url}/dashboard/admin`)
  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Enter the paper list' }).click()
  const field = page.getByLabel('Numbers or codes')
  await field.fill(`${ada.id}, ${shortCode(bob)}\n999999 ${ada.id}`)
  await field.press('Control+Enter')
  const rows = page.getByRole('listitem')
  await rows.filter({ hasText: 'Ada' }).getByText('Not in yet').waitFor()
  await rows.filter({ hasText: '999999' }).getByText('Unknown').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check in 2 people' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('2 people checked in.').waitFor()
  await page.keyboard.type(String(ada.id))
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^In since \d\d:\d\d$/).waitFor()
  await page.getByText('None of them has to be checked in.').waitFor()
  const inside = (await fixture.attendees()).filter(({ checkin }) => checkin?.status)
  expect(inside.map(({ registration }) => registration.registrationData.name).sort()).toEqual(['Ada', 'Bob'])
  expect(inside.map(({ registration }) => registration.id)).not.toContain(cleo.id)
  await browser.close()
})
