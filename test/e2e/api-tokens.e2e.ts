import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, sudoEnv } from './browser.ts'
import { openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 4049, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

test('somebody makes an API token, a program uses it, and it is revoked', async () => {
  const page = await openClub(browser, served, 'Programming Club')
  const { id: eventId } = await post(page, 'event/save', regatta)
  await page.goto(`${served.url}/profile`)
  await page.getByRole('link', { name: 'Manage API tokens' }).click()
  await page.getByText('You have no tokens yet.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  await dialog.getByText('Please enter a name.').waitFor()
  await dialog.getByText('Choose at least one permission.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Website')
  await dialog.getByLabel('List events').check()
  await dialog.getByLabel('Read attendees, statistics and vouchers').check()
  await dialog.getByRole('button', { name: 'Make a token' }).click()
  const made = page.getByRole('dialog', { name: 'Token Website' })
  const token = await made.locator('code').innerText()
  await expectAccessible(page)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await made.getByRole('button', { name: 'Copy the token' }).click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  await made.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Not used yet').waitFor()

  const ask = (path: string) => fetch(`${served.url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } })
  const attendees = await ask(`registration/getAttendees?eventId=${eventId}`)
  expect(attendees.status).toBe(200)
  expect((await ask(`history/getHistory?clubId=1`)).status).toBe(403)
  await page.reload()
  await page.getByText('Last used on').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Revoke Website' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You have no tokens yet.').waitFor()
  expect((await ask(`registration/getAttendees?eventId=${eventId}`)).status).toBe(401)
  await page.context().close()
})
