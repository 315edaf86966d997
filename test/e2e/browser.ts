import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Served } from '../support/serve.ts'

export interface Credential {
  email: string
  password: string
}

export const SUDO: Credential = { email: 'sudo@example.org', password: 'operator 1' }

/** What `serve` needs to know of the operator. */
export const sudoEnv = { SUDO_EMAIL: SUDO.email, SUDO_PASSWORD: SUDO.password }

export const sizes = [
  { device: 'phone', viewport: { width: 390, height: 844 } },
  { device: 'desktop', viewport: { width: 1440, height: 900 } },
]

/** A real Chromium; `camera` is the film that its fake camera plays. */
export function launch(camera?: string): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  const media = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const file = camera === undefined ? [] : [`--use-file-for-fake-video-capture=${camera}`]
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', ...quiet, ...media, ...file] })
}

/** A page in a browser profile of its own. What it waits for in vain fails after half a minute. */
export async function openPage(browser: Browser, viewport = { width: 1440, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  return context.newPage()
}

/** Collects what a page complains of: uncaught errors, and errors of the console but for the answers a test asks for. */
export function listenForErrors(page: Page, isExpected: RegExp = /^$/): string[] {
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected.test(message.text())) wrong.push(message.text())
  })
  return wrong
}

export async function signIn(page: Page, served: Served, { email, password }: Credential): Promise<void> {
  await page.goto(`${served.url}/signin`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/dashboard/)
}

/** No serious fault for axe, and nothing wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  // Legacy mode looks at this page alone, in half the time: there is nothing of ours in frames.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overhang, `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0)
}
