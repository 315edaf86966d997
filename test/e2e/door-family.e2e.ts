import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { registrationFor } from '../support/make.ts'
import { companion } from '../support/orders.ts'
import { callAt } from '../support/remote.ts'
import { until } from '../support/serve.ts'
import { expectAccessible, launch } from './browser.ts'
import { beep, type DoorFixture, expectVerdict, openPhone, startDoorFixture } from './door-set-up.ts'

let fixture: DoorFixture
let browser: Browser
beforeAll(async () => {
  fixture = await startDoorFixture(3971)
  const { event, served, token } = fixture
  await callAt(served.url, eventApi.save, { id: event.id, maxPerEmail: 10 }, token)
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await fixture.served.stop()
})

async function family(...names: string[]) {
  const [first = '', ...others] = names
  const answers = fixture.question ? [{ qId: fixture.question.id, answer: '' }] : []
  const request = registrationFor(fixture.event, { name: first, others: answers })
  const companions = others.map((name) => companion({ name, others: answers }))
  const { payload } = await callAt(fixture.served.url, registrationApi.initRegistration, { ...request, companions })
  return payload.registrations ?? []
}
const inside = async () =>
  (await fixture.attendees())
    .filter(({ checkin }) => checkin?.status)
    .map(({ registration }) => registration.registrationData.name)

test('one scan of a family shows the others, who come in one by one or all together, also without network', async () => {
  const [ada, bea] = await family('Ada', 'Bea', 'Cy', 'Di')
  if (!ada || !bea) throw new Error('An order of four.')
  const page = await openPhone(browser, fixture)
  await page.getByText('of 4 in').waitFor()
  await beep(page, fixture.codeOf(ada))
  await expectVerdict(page, 'in', 'Ada')
  const others = page.getByRole('region', { name: 'Also in this order' })
  expect(await others.locator('strong').allInnerTexts()).toEqual(['Bea', 'Cy', 'Di'])
  await expectAccessible(page)
  await others.getByRole('button', { name: 'Let Bea in' }).click()
  await expectVerdict(page, 'in', 'Bea')
  expect(await others.locator('strong').allInnerTexts()).toEqual(['Cy', 'Di'])
  await page.getByRole('button', { name: 'Next' }).click()
  expect(await others.count()).toBe(0)

  await page.context().setOffline(true)
  await beep(page, fixture.codeOf(bea))
  await expectVerdict(page, 'already', 'Bea')
  await others.getByRole('button', { name: 'Let all 2 in' }).click()
  await expectVerdict(page, 'in', 'Cy, Di')
  expect(await others.count()).toBe(0)
  expect(await inside()).toEqual(['Ada', 'Bea'])
  await page.context().setOffline(false)
  await until(async () => (await inside()).length === 4, 30_000, 'what was done without network is sent')
  expect(await fixture.conflicts()).toEqual([])
  await page.context().close()
})
