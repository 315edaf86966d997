import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import sharp from 'sharp'
import { authApi } from '../../src/contract/auth.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { accessibilityFindings, launch } from '../e2e/browser.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { callAt, OPERATOR } from '../support/remote.ts'
import { startPictureClub } from './club.ts'
import { shotsOf } from './shots.ts'

// `npm run pictures` makes the pictures of docs/pictures. `npm run pictures -- FOLDER [NAME] [WIDTHS] [dark|forced]` makes one of every page and
// state whose name contains NAME, for a review of the design, and reports what axe finds and what is wider than the screen.

const DOCS = join(import.meta.dirname, '../../docs/pictures')
/** The pictures of the docs, each with its width. */
const IN_DOCS: Readonly<Record<string, number>> = {
  'event-open': 1280,
  'ticket-free': 390,
  'staff-home-paid': 1280,
  'staff-verdict': 390,
}
/** The pictures of the start page: phones. Pages are cut to the height of the screen there, and verdicts are laid out for it. */
const ON_LANDING: Readonly<Record<string, string>> = {
  'event-open': 'landing-event',
  'ticket-free': 'landing-ticket',
  'staff-verdict': 'landing-verdict',
  'staff-verdict-already': 'landing-already',
  'staff-verdict-unpaid': 'landing-unpaid',
}
const LANDING = join(import.meta.dirname, '../../public/img')
const LANDING_HEIGHT = 756
/** The pictures of an organiser's screen, on the start page too: each width's file. On a phone it is cut above the bar at its bottom. */
const WORKSPACE = 'staff-home'
const WORKSPACE_FILES: Readonly<Record<number, string>> = { 390: 'landing-workspace-phone', 1280: 'landing-workspace' }
const WORKSPACE_PHONE_HEIGHT = 604
/** The address of the site that the pictures of an event's overview show. */
const ADDRESS = 'https://tickets.example.org'
const [folder, part = '', widths = '390,1440', wantedScheme = 'light'] = process.argv.slice(2)
const club = await startPictureClub(3946)
const { served, tickets } = club
const browser = await launch(makeCameraFilm(ticketUrl(served.url, tickets.free)))
try {
  if (folder === undefined) {
    for (const [name, width] of Object.entries(IN_DOCS)) await shootAll(width, (each) => each === name, DOCS)
    await shootAll(390, (each) => each === 'event-open' || /^staff-(scanner-ready|verdict-)/.test(each), LANDING)
    for (const scheme of ['light', 'dark'])
      for (const width of [390, 1280]) await shootAll(width, (each) => each === WORKSPACE, LANDING, scheme)
  } else for (const width of widths.split(',').map(Number)) await shootAll(width, (name) => name.includes(part), folder)
} finally {
  await browser.close()
  await club.stop()
}

async function shootAll(
  width: number,
  isWanted: (name: string) => boolean,
  into: string,
  scheme = wantedScheme,
): Promise<void> {
  mkdirSync(into, { recursive: true })
  const contexts = {
    visitor: await openContext(width, scheme),
    admin: await openContext(width, scheme, club.people.admin),
    newcomer: await openContext(width, scheme, club.people.newcomer),
    treasurer: await openContext(width, scheme, club.people.treasurer),
    helper: await openContext(width, scheme, club.people.helper),
    pass: await openContext(width, scheme, club.people.pass),
    sudo: await openContext(width, scheme, await sudoSession()),
  }
  // Fonts that come late are not used at all, so they have to be in the browser's cache.
  for (const context of Object.values(contexts)) {
    const page = await context.newPage()
    await page.goto(served.url, { waitUntil: 'networkidle' })
    await page.close()
  }
  for (const { name, path, as, act, brief } of shotsOf(club).filter((shot) => isWanted(shot.name))) {
    const page = await contexts[as ?? 'visitor'].newPage()
    if (name.startsWith(WORKSPACE)) await page.addInitScript(showNeutralAddress, ADDRESS)
    if (into === LANDING && name.startsWith('staff-verdict'))
      await page.setViewportSize({ width, height: LANDING_HEIGHT })
    page.on('pageerror', (error) => console.error(`${name}: ${error.message}`))
    try {
      await page.goto(served.url + path)
      if (brief === undefined) {
        await page.waitForLoadState('networkidle')
        await page.getByRole('heading').first().waitFor()
        await act?.(page)
        await page.waitForLoadState('networkidle')
      } else await page.locator(brief).waitFor()
      await page.evaluate(() => document.fonts.ready)
      // Browsers load lazy images only near the part that is in view, and the picture is of the whole page.
      await page.evaluate(() =>
        Promise.all(
          [...document.images].map((image) => {
            image.loading = 'eager'
            return image.decode().catch(() => {})
          }),
        ),
      )
      await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {}))))
      if (into === DOCS || into === LANDING) {
        const picture = await page.screenshot()
        // With few colours, because each of them is kept in the history for good.
        if (into === DOCS)
          await sharp(picture)
            .png({ palette: true })
            .toFile(join(into, `${name}.png`))
        // A ticket is let in once, so both pictures of it are the same one.
        if (width === 390 && name in ON_LANDING)
          await sharp(picture)
            .extract({ left: 0, top: 0, width, height: LANDING_HEIGHT })
            .webp({ quality: 78 })
            .toFile(join(LANDING, `${ON_LANDING[name]}.webp`))
        if (into === LANDING && name === WORKSPACE)
          await sharp(picture)
            .extract({ left: 0, top: 0, width, height: width === 390 ? WORKSPACE_PHONE_HEIGHT : 800 })
            .webp({ quality: 78 })
            .toFile(join(LANDING, `${WORKSPACE_FILES[width]}${scheme === 'dark' ? '-dark' : ''}.webp`))
      } else {
        await page.screenshot({ path: join(into, `${name}-${width}-${scheme}.png`), fullPage: true })
        for (const found of await accessibilityFindings(page)) console.error(`${name} at ${width}: ${found}`)
      }
    } catch (error) {
      console.error(`${name} at ${width}: ${String(error).slice(0, 300)}`)
    }
    await page.close()
  }
  for (const context of Object.values(contexts)) await context.close()
}

async function sudoSession() {
  const credential = { email: OPERATOR.SUDO_EMAIL, password: OPERATOR.SUDO_PASSWORD }
  const { payload, token } = await callAt(served.url, authApi.signin, credential)
  return { token, user: payload.currentUser }
}

async function openContext(
  width: number,
  scheme: string,
  session?: { token: string; user: object },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    reducedMotion: 'reduce',
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
    forcedColors: scheme === 'forced' ? 'active' : 'none',
  })
  context.setDefaultTimeout(15_000)
  if (session)
    await context.addInitScript(
      ([token, user]) => {
        localStorage.setItem('token', token)
        localStorage.setItem('currentUser', user)
      },
      [session.token, JSON.stringify(session.user)] as const,
    )
  return context
}

/** Puts an address in place of the test server's, before the page's scripts read it. */
function showNeutralAddress(address: string): void {
  document.addEventListener('readystatechange', () => {
    document.querySelector('meta[name="base-url"]')?.setAttribute('content', address)
  })
}
