import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import type { RunOptions } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { makeCameraFilm } from '../support/camera-film.ts'
import type { Served } from '../support/serve.ts'
import { noteAtClose, noteShown, type Tested, takeShown } from './shown.ts'

export interface Credential {
  email: string
  password: string
}

export const SUDO: Credential = { email: 'sudo@example.org', password: 'operator 1' }

/** The environment with the operator's credentials, for `serve`. */
export const sudoEnv = { SUDO_EMAIL: SUDO.email, SUDO_PASSWORD: SUDO.password }

export const sizes = [
  { device: 'phone', viewport: { width: 390, height: 844 } },
  { device: 'desktop', viewport: { width: 1440, height: 900 } },
]

export const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Chromium's command line arguments; `film` is what its fake camera plays, by default without any code. */
export function argumentsFor(film = makeCameraFilm(null)): string[] {
  const media = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  // Fewer processes: together an eighth less work for the machine.
  const lean = ['--in-process-gpu', '--disable-features=SpareRendererForSitePerProcess']
  return ['--no-sandbox', '--disable-gpu', ...lean, ...quiet, ...media, `--use-file-for-fake-video-capture=${film}`]
}

const launched = new Set<Browser>()

/** A real Chromium; `film` is what its fake camera plays. */
export async function launch(film?: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: argumentsFor(film) })
  launched.add(browser)
  noteAtClose(browser)
  browser.once('disconnected', () => launched.delete(browser))
  return browser
}

/** Closes the browsers that a test file has left, because its own clean-up failed. */
export async function closeRemainingBrowsers(): Promise<void> {
  await Promise.all([...launched].map((browser) => browser.close()))
  takeShown()
}

/** A page in its own browser profile. Its waits time out after half a minute. */
export async function openPage(browser: Browser, viewport = { width: 1440, height: 900 }): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  context.setDefaultTimeout(30_000)
  noteAtClose(context)
  return context.newPage()
}

/** Closes all pages after a test; of one that failed, notes what they showed. */
export async function closePages(browser: Browser, task: Tested): Promise<void> {
  await noteShown(task, browser.contexts())
  for (const context of browser.contexts()) await context.close()
}

/** After a test that failed, notes what its pages showed, whether it has closed them or not. */
export function noteAllShown(task: Tested): Promise<void> {
  return noteShown(
    task,
    [...launched].flatMap((browser) => browser.contexts()),
  )
}

/** Collects a page's uncaught errors and console errors, except for those that the test expects. */
export function listenForErrors(page: Page, isExpected: RegExp = /^$/): string[] {
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected.test(message.text())) wrong.push(message.text())
  })
  return wrong
}

/** Signs in over the API, because the form has its own tests and takes two page loads. */
export function signIn(page: Page, served: Pick<Served, 'url'>, credential: Credential): Promise<void> {
  return enter(page, served.url, 'signin', credential)
}

/** Signs somebody in, or a club up, and opens the dashboard. */
export async function enter(page: Page, url: string, call: 'signin' | 'register', data: object): Promise<void> {
  const context = page.context()
  const xsrf = (await context.cookies(url)).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const headers = { 'x-xsrf-token': decodeURIComponent(xsrf) }
  const answer = await context.request.post(`${url}/api/user/${call}`, { data, headers })
  expect(answer.status(), await answer.text()).toBe(200)
  // The smallest document of the site, which shares its storage with the pages.
  await page.goto(`${url}/favicon.svg`)
  await page.evaluate((token) => localStorage.setItem('token', token ?? ''), answer.headers().authorization)
  await page.goto(`${url}/dashboard`)
  await page.waitForURL(/dashboard\/\w+/)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Opens a section of the event whose page is open, by its menu; on phones the rare ones are behind “More”. */
export async function openSection(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Event' })
  await menu.getByRole('link', { name: 'Overview' }).waitFor()
  const link = menu.getByRole('link', { name, exact: true })
  if ((await link.count()) === 0) await menu.getByText('More').click()
  await link.click()
}

/** Chooses from the menu “More” of the attendee whose panel is open. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole('dialog', { name: /^#/ }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Signs in through the form, as a person does. */
export async function signInByForm(page: Page, served: Served, { email, password }: Credential): Promise<void> {
  await page.goto(`${served.url}/signin`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/dashboard/)
}

/** Expects no violation found by axe, in light and dark, and nothing wider than the screen. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityFindings(page)).toEqual([])
}

/**
 * What axe finds wrong, in light and dark, and whether anything is wider than the screen. The page is left in the other scheme:
 * painting it once more takes time in hundreds of checks.
 */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.getByRole('heading').first().waitFor()
  const { overhang, isDark, hasAxe } = await page.evaluate(() => ({
    overhang: document.documentElement.scrollWidth - window.innerWidth,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    hasAxe: 'axe' in window,
  }))
  const wide = overhang > 0 ? [`${page.url()} is ${overhang} px wider than the screen`] : []
  // A page that stays has it since the last time.
  if (!hasAxe) await prepareForAxe(page)
  const [scheme, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  const inThis = await found(page, scheme, {})
  await emulateScheme(page, other)
  const inOther = await found(page, other, { runOnly: ['color-contrast', 'link-in-text-block'] })
  return [...wide, ...inThis, ...inOther]
}

/** Loads axe and turns transitions off: axe could measure a colour in between, and painting them takes time. */
async function prepareForAxe(page: Page): Promise<void> {
  await page.evaluate(axeSource)
  await page.evaluate(() => {
    const still = new CSSStyleSheet()
    still.replaceSync('* { transition: none !important }')
    document.adoptedStyleSheets.push(still)
  })
}

declare const axe: typeof axeCore
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe, which the page has loaded, finds wrong. Only that leaves the browser: all that it looked at is megabytes. */
async function found(page: Page, scheme: 'light' | 'dark', rules: RunOptions): Promise<string[]> {
  // No rule of ours reads the style sheets, which axe would otherwise load again.
  const options: RunOptions = { ...rules, resultTypes: ['violations'], preload: false }
  const violations = await page.evaluate(async (chosen) => {
    const results = await axe.run(document, chosen)
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.any[0]?.message ?? ''}`)
  }, options)
  return violations.map((violation) => `${scheme}: ${violation}`)
}

async function emulateScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  // The interface kit hears of it from an event.
  await page.waitForFunction(
    (wanted) => (document.documentElement.dataset.mantineColorScheme ?? wanted) === wanted,
    scheme,
  )
}

/** Waits until no part of the page shows grey placeholders any more; there may be several. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.loading') === null)
}

/** Resolves when the page of an event that asks for a phone number is hydrated. */
export const isRunning = (page: Page) => page.locator('input[type=hidden][name=phone]').waitFor({ state: 'attached' })
