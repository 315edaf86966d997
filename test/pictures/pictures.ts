import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { authApi } from '../../src/contract/auth.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { paths } from '../../src/web/paths.ts'
import { launch } from '../e2e/browser.ts'
import { makeCameraFilm } from '../support/camera-film.ts'
import { callAt, OPERATOR } from '../support/remote.ts'
import { startPictureClub } from './club.ts'

// `npm run pictures` makes the pictures of docs/pictures. `npm run pictures -- FOLDER [NAME] [WIDTHS] [dark]` makes one of every page and
// state whose name contains NAME, for a review of the design.

interface Shot {
  name: string
  path: string
  as?: 'admin' | 'sudo'
  /** What to do before the picture. */
  act?: (page: Page) => Promise<void>
  /** What the picture is of, where it disappears again soon. */
  brief?: string
}

const DOCS = join(import.meta.dirname, '../../docs/pictures')
/** The pictures of the docs, each with its width. */
const IN_DOCS: Readonly<Record<string, number>> = {
  'event-open': 1280,
  'ticket-free': 390,
  'staff-home-paid': 1280,
  'staff-verdict': 390,
}
/** The pictures of the start page: phones, whose screen is cut to this height. */
const ON_LANDING: Readonly<Record<string, string>> = {
  'event-open': 'landing-event',
  'ticket-free': 'landing-ticket',
  'staff-verdict': 'landing-verdict',
}
const LANDING = join(import.meta.dirname, '../../public/img')
const LANDING_HEIGHT = 780
const [folder, part = '', widths = '390,1440', scheme = 'light'] = process.argv.slice(2)
const club = await startPictureClub(3946)
const { served, clubId, events, coloured, tickets } = club
const browser = await launch(makeCameraFilm([ticketUrl(served.url, tickets.free)]))
try {
  if (folder === undefined) {
    for (const [name, width] of Object.entries(IN_DOCS)) await shootAll(width, (each) => each === name, DOCS)
    await shootAll(390, (each) => each === 'event-open', LANDING)
  } else for (const width of widths.split(',').map(Number)) await shootAll(width, (name) => name.includes(part), folder)
} finally {
  await browser.close()
  await club.stop()
}

function shots(): Shot[] {
  const { open } = events
  const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
  return [
    { name: 'landing', path: paths.landing },
    { name: 'clubs', path: `${paths.clubs}?name=river` },
    { name: 'clubs-none', path: `${paths.clubs}?name=nothing` },
    { name: 'club', path: paths.club(clubId) },
    ...Object.entries(events).map(([state, event]) => ({
      name: `event-${state}`,
      path: paths.event(event),
      ...(state === 'draft' && { as: 'admin' as const }),
    })),
    { name: 'club-coloured', path: paths.club(coloured.clubId) },
    { name: 'event-coloured', path: paths.event(coloured) },
    { name: 'event-errors', path: paths.event(events.paid), act: press(/^Register/) },
    { name: 'success-free', path: paths.registered({ ...tickets.free, clubId }) },
    { name: 'success-paid', path: paths.registered({ ...tickets.paid, clubId }) },
    { name: 'success-unpaid', path: paths.registered({ ...tickets.unpaid, clubId }) },
    ...Object.entries(tickets).map(([state, ticket]) => ({ name: `ticket-${state}`, path: paths.ticket(ticket) })),
    { name: 'ticket-wrong', path: '/qr/1/x' },
    { name: 'page', path: paths.page('privacy-policy') },
    { name: 'signin', path: paths.signin },
    { name: 'register', path: paths.register, act: press('Sign up') },
    { name: 'forgot', path: paths.forgotPassword },
    { name: 'not-found', path: '/nothing' },
    { name: 'dashboard', path: paths.adminDashboard, as: 'admin' },
    { name: 'staff-menu', path: paths.adminDashboard, as: 'admin', act: press(/^More for/) },
    { name: 'staff-home', path: paths.eventHome(open.id), as: 'admin' },
    { name: 'staff-home-draft', path: paths.eventHome(events.draft.id), as: 'admin' },
    { name: 'staff-home-paid', path: paths.eventHome(events.paid.id), as: 'admin' },
    { name: 'staff-add', path: paths.addEvent, as: 'admin' },
    { name: 'staff-edit', path: paths.editEvent(open.id), as: 'admin' },
    {
      name: 'staff-search',
      path: paths.eventHome(open.id),
      as: 'admin',
      act: (page) => page.getByRole('button', { name: 'Search', exact: true }).click(),
    },
    { name: 'staff-shortcuts', path: paths.eventHome(open.id), as: 'admin', act: (page) => page.keyboard.press('?') },
    { name: 'staff-form', path: paths.form(open.id), as: 'admin' },
    { name: 'staff-form-open', path: paths.form(open.id), as: 'admin', act: press('Add a question') },
    {
      name: 'staff-form-wrong',
      path: paths.form(open.id),
      as: 'admin',
      act: async (page) => {
        await press('Add a question')(page)
        await page.getByLabel('Type').selectOption('Dropdown')
        await press('Save')(page)
      },
    },
    { name: 'staff-attendees', path: paths.attendees(open.id), as: 'admin' },
    { name: 'staff-panel', path: paths.attendees(open.id), as: 'admin', act: press(/Ada|Amir/) },
    { name: 'staff-vouchers', path: paths.vouchers(events.paid.id), as: 'admin' },
    { name: 'staff-statistics', path: paths.statistics(open.id), as: 'admin' },
    { name: 'staff-statistics-paid', path: paths.statistics(events.paid.id), as: 'admin' },
    { name: 'staff-statistics-empty', path: paths.statistics(events.later.id), as: 'admin' },
    {
      name: 'staff-statistics-table',
      path: paths.statistics(open.id),
      as: 'admin',
      act: (page) => page.getByText('Show as table').first().click(),
    },
    { name: 'staff-scanner', path: paths.scanner(events.paid.id), as: 'admin' },
    {
      name: 'staff-scanner-ready',
      path: paths.scanner(events.paid.id),
      as: 'admin',
      act: (page) => page.keyboard.press('Escape'),
    },
    { name: 'staff-verdict', path: paths.scanner(open.id), as: 'admin', brief: '[data-verdict]' },
    { name: 'staff-club', path: paths.editClub(clubId), as: 'admin' },
    { name: 'staff-profile', path: paths.profile, as: 'admin' },
    { name: 'sudo', path: paths.sudoDashboard, as: 'sudo' },
    { name: 'sudo-credential', path: paths.credential(clubId), as: 'sudo' },
    { name: 'sudo-page', path: paths.editPage('privacy-policy'), as: 'sudo' },
  ]
}

async function shootAll(width: number, isWanted: (name: string) => boolean, into: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  const contexts = {
    visitor: await openContext(width),
    admin: await openContext(width, { token: club.token, user: club.user }),
    sudo: await openContext(width, await sudoSession()),
  }
  for (const { name, path, as, act, brief } of shots().filter((shot) => isWanted(shot.name))) {
    const page = await contexts[as ?? 'visitor'].newPage()
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
      } else await page.screenshot({ path: join(into, `${name}-${width}-${scheme}.png`), fullPage: true })
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

async function openContext(width: number, session?: { token: string; user: object }): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    reducedMotion: 'reduce',
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
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
