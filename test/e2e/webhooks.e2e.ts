import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../support/serve.ts'
import { isSignedWith, type Receiver, startReceiver } from '../support/webhook-receiver.ts'
import { expectAccessible, launch, sudoEnv } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let receiver: Receiver
let browser: Browser

beforeAll(async () => {
  receiver = await startReceiver()
  served = await serve({ port: 4044, env: { ...sudoEnv, LOCAL_WEBHOOKS: 'on' } })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
  await receiver.stop()
})

test('an owner adds a webhook, tries it, reads what was sent, sends it again and removes it', async () => {
  const page = await openClub(browser, served, 'Telling Club')
  const { id: eventId } = await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/club/edit`)
  await page.getByRole('link', { name: 'Manage webhooks' }).click()
  await page.getByText('There are no webhooks yet.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('example.org')
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()
  await dialog.getByText('Enter a complete web address').waitFor()
  await dialog.getByText('Choose at least one of them.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('New registrations').check()
  await dialog.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/turnout')
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()
  await dialog.getByText('can be reached from the internet').waitFor()
  await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Secret of 127.0.0.1' })
  const secret = await shown.locator('code').innerText()
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Send a test' }).click()
  const messages = page.getByRole('dialog', { name: 'Messages to 127.0.0.1' })
  await messages.getByText('Delivered').waitFor()
  await messages.getByText('Answer 204').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()
  expect(receiver.received.map(({ type }) => type)).toEqual(['webhook.test'])

  receiver.answer(500)
  await add(page, eventId, 'Ada Visitor')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: 'Messages' }).click()
  await messages.getByText('Answer 500').waitFor()
  await messages.getByText('Next try').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  receiver.answer(200)
  await messages.getByRole('button', { name: 'Send again' }).first().click()
  await messages.getByText('Answer 200').waitFor()
  const [, first, again] = receiver.received
  expect(again?.id).toBe(first?.id)
  for (const received of receiver.received) expect(isSignedWith(secret, received)).toBe(true)
  await page.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.getByRole('button', { name: 'More for 127.0.0.1' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More for 127.0.0.1' }).click()
  await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
  const replaced = page.getByRole('dialog', { name: 'Secret of 127.0.0.1' })
  expect(await replaced.locator('code').innerText()).not.toBe(secret)
  await replaced.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The old secret is valid until').waitFor()
  await page.getByRole('button', { name: 'More for 127.0.0.1' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('There are no webhooks yet.').waitFor()
  await page.context().close()
})
