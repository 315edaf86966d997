import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileOf, linesOf } from '../support/club-files.ts'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, sudoEnv } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 4035, env: { ...sudoEnv, CLUB_IMPORTS: 'on' } })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

test('an owner saves a club as a file, another one imports it, and a ticket sent before is found', async () => {
  const page = await openClub(browser, served, 'Moving Club')
  const event = await post(page, 'event/save', regatta)
  const { id } = await add(page, event.id, 'Vera Visitor')

  await page.goto(`${served.url}/club/edit`)
  await page.getByRole('link', { name: 'Save or import' }).click()
  await page.getByText('This club has events, so it cannot import another one.').waitFor()
  await expectAccessible(page)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toMatch(/^Club-\d+-.*\.turnout\.gz$/)
  const lines = linesOf(await readFile(await saved.path()))
  // As if it came from another server: one has each ticket only once.
  const secret = randomUUID()
  const file = fileOf(lines.map(([kind, row]) => [kind, kind === 'registrations' ? { ...row, qr_uuid: secret } : row]))

  const there = await openClub(browser, served, 'Arriving Club')
  await there.goto(`${served.url}/club/move`)
  await there.getByRole('button', { name: 'Import', exact: true }).click()
  await there.getByText('Choose the file of a club.').waitFor()
  await expectAccessible(there)
  const input = there.locator('input[type=file]')
  await input.setInputFiles({ name: 'notes.gz', mimeType: 'application/gzip', buffer: Buffer.from('no club') })
  await there.getByRole('button', { name: 'Import', exact: true }).click()
  await there.getByText('This is not the file of a club.').waitFor()
  await expectAccessible(there)
  await input.setInputFiles({ name: 'club.turnout.gz', mimeType: 'application/gzip', buffer: file })
  await there.getByRole('button', { name: 'Import', exact: true }).click()
  await there.getByText('The club has been imported: 1 event, 1 attendee.').waitFor()
  // The menu, which was read before.
  await there.getByText('Moving Club', { exact: true }).first().waitFor()
  await expectAccessible(there)
  await there.getByRole('link', { name: 'Show the events' }).click()
  await there.getByRole('link', { name: regatta.name }).first().waitFor()

  const answer = await there.goto(`${served.url}/qr/${id}/${secret}?lang=en`)
  expect(answer?.status()).toBe(200)
  expect(there.url()).not.toContain(`/qr/${id}/`)
  await there.getByText('Vera Visitor').first().waitFor()
})
