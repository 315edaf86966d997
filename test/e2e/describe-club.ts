import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Served } from '../support/serve.ts'
import { expectAccessible } from './browser.ts'

/** A picture to upload. */
export async function picture(width: number, height: number) {
  const buffer = await sharp({ create: { width, height, channels: 3, background: '#4000b8' } })
    .png()
    .toBuffer()
  return { name: 'picture.png', mimeType: 'image/png', buffer }
}

/** Fills in the club's form, with logo, cover and colour, and looks at what visitors see. */
export async function describeClub(page: Page, served: Served): Promise<void> {
  await page.getByRole('link', { name: /Introduce your club/ }).click()
  await page.getByRole('heading', { name: 'Club settings' }).waitFor()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a logo' }).click()
  await (await chooser).setFiles(await picture(300, 200))
  const ofCover = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a cover' }).click()
  await (await ofCover).setFiles(await picture(1600, 400))
  await page.getByLabel('Colour').fill('#0F766E')
  const listed = page.getByRole('switch', { name: 'Visitors find the club on the start page' })
  await listed.check()
  await page.getByLabel('Place').fill('Harbour 1')
  await page.getByLabel('E-mail for visitors').fill('club@example.org')
  // Leaving now would lose the input, so the page asks.
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()

  await page.goto(`${served.url}/club/edit`)
  expect(await listed.isChecked()).toBe(true)
  expect(await page.getByLabel('Colour').inputValue()).toBe('#0f766e')
  await page.getByRole('button', { name: 'Replace the cover' }).waitFor()
  await page.getByLabel(/^Account:/).click()
  await page.getByRole('link', { name: 'Club page' }).click()
  await page.locator('main img[src*="/api/event-banner/"]').waitFor()
  const button = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary'))
  expect(await button()).toBe('#0f766e')
  await expectAccessible(page)
  await page.goto(`${served.url}/dashboard`)
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
}
