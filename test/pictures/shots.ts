import type { Page } from 'playwright-core'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import * as paths from '../../src/web/paths.ts'
import { beep } from '../e2e/door-set-up.ts'
import type { startPictureClub } from './club.ts'

type PictureClub = Awaited<ReturnType<typeof startPictureClub>>

export interface Shot {
  name: string
  path: string
  as?: 'admin' | 'sudo' | 'newcomer' | 'treasurer' | 'helper' | 'pass'
  /** What to do before the picture. */
  act?: (page: Page) => Promise<void>
  /** What the picture is of, where it disappears again soon. */
  brief?: string
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** Every page and state of the club. */
export function shotsOf({ served, clubId, events, coloured, tickets, passLink, reportPhones }: PictureClub): Shot[] {
  const { open } = events
  const scanned = (name: string, code: string, at = events.paid): Shot => ({
    name: `staff-verdict-${name}`,
    path: paths.scanner(at.id),
    as: 'admin',
    act: async (page) => {
      // The camera sees a ticket of another event.
      await page.locator('[data-verdict]').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[data-verdict]').waitFor({ state: 'detached' })
      await beep(page, code)
      await page.locator('[data-verdict]').waitFor()
    },
  })
  const inPanel = (name: string, choice: string | RegExp): Shot => ({
    name: `staff-dialog-${name}`,
    path: paths.attendees(events.paid.id),
    as: 'admin',
    act: async (page) => {
      await press('Ada Moreau')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: choice }).click()
      await page.getByRole('dialog').last().waitFor()
    },
  })
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
    {
      name: 'staff-account',
      path: paths.eventHome(open.id),
      as: 'admin',
      act: (page) => page.getByLabel(/^Account:/).click(),
    },
    { name: 'staff-home', path: paths.eventHome(open.id), as: 'admin' },
    { name: 'staff-home-draft', path: paths.eventHome(events.draft.id), as: 'admin' },
    { name: 'staff-home-paid', path: paths.eventHome(events.paid.id), as: 'admin' },
    ...(['now', 'over', 'few', 'full', 'cancelled'] as const).map((state) => ({
      name: `staff-home-${state}`,
      path: paths.eventHome(events[state].id),
      as: 'admin' as const,
    })),
    { name: 'staff-add', path: paths.addEvent, as: 'admin' },
    { name: 'staff-edit', path: paths.editEvent(open.id), as: 'admin' },
    {
      name: 'staff-search',
      path: paths.eventHome(open.id),
      as: 'admin',
      act: async (page) => {
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        await page.getByRole('status').filter({ hasText: 'suggestions' }).waitFor()
      },
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
    { name: 'staff-panel', path: paths.attendees(open.id), as: 'admin', act: press('Chloé García') },
    {
      name: 'staff-attendees-chosen',
      path: paths.attendees(open.id),
      as: 'admin',
      act: async (page) => {
        for (const n of [1, 2, 3]) await page.getByRole('checkbox').nth(n).check()
      },
    },
    { name: 'staff-attendees-nobody', path: `${paths.attendees(open.id)}?q=zzzz`, as: 'admin' },
    { name: 'staff-attendees-empty', path: paths.attendees(events.later.id), as: 'admin' },
    { name: 'staff-attendees-paid', path: paths.attendees(events.paid.id), as: 'admin' },
    { name: 'staff-attendee-add', path: paths.attendees(events.paid.id), as: 'admin', act: press('Add somebody') },
    inPanel('cancel', /^Cancel/),
    inPanel('refund', 'Refund'),
    inPanel('remove', /^Remove/),
    { name: 'staff-vouchers-empty', path: paths.vouchers(open.id), as: 'admin' },
    { name: 'staff-voucher-add', path: paths.vouchers(events.paid.id), as: 'admin', act: press('Add a voucher') },
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
    {
      name: 'staff-scanner-ready',
      path: paths.scanner(events.paid.id),
      as: 'admin',
      act: (page) => page.keyboard.press('Escape'),
    },
    { name: 'staff-verdict', path: paths.scanner(open.id), as: 'admin', brief: '[data-verdict]' },
    scanned('unpaid', ticketUrl(served.url, tickets.unpaid)),
    scanned('other-event', ticketUrl(served.url, tickets.checkedIn)),
    scanned('cancelled', ticketUrl(served.url, tickets.cancelled), events.cancelled),
    scanned('unknown', 'https://example.org/nothing'),
    scanned('in-paid', ticketUrl(served.url, tickets.paid)),
    scanned('already', ticketUrl(served.url, tickets.paid)),
    { name: 'staff-club', path: paths.editClub(clubId), as: 'admin' },
    { name: 'staff-first-steps', path: paths.adminDashboard, as: 'newcomer' },
    { name: 'staff-team', path: paths.team, as: 'admin' },
    { name: 'staff-team-invite', path: paths.team, as: 'admin', act: press('Invite somebody') },
    { name: 'staff-history', path: paths.history, as: 'admin' },
    { name: 'staff-history-empty', path: `${paths.history}?by=operator&subject=money`, as: 'admin' },
    { name: 'staff-treasurer-dashboard', path: paths.adminDashboard, as: 'treasurer' },
    { name: 'staff-treasurer-home', path: paths.eventHome(events.paid.id), as: 'treasurer' },
    { name: 'staff-treasurer-vouchers', path: paths.vouchers(events.paid.id), as: 'treasurer' },
    { name: 'staff-helper-dashboard', path: paths.adminDashboard, as: 'helper' },
    { name: 'staff-helper-scanner', path: paths.scanner(events.paid.id), as: 'helper', brief: '[data-verdict]' },
    { name: 'staff-passes', path: paths.helpers(events.paid.id), as: 'admin' },
    {
      name: 'staff-board',
      path: paths.helpers(events.paid.id),
      as: 'admin',
      act: async (page) => {
        await reportPhones()
        await page.getByText('Practising').waitFor()
        await page.getByText(/^Offline for/).waitFor({ timeout: 60_000 })
        await reportPhones()
      },
    },
    { name: 'staff-practice-codes', path: paths.practiceCodes(events.paid.id), as: 'admin' },
    {
      name: 'staff-practice',
      path: paths.scanner(events.paid.id),
      as: 'admin',
      act: async (page) => {
        await page.locator('[data-verdict]').waitFor()
        await page.keyboard.press('Escape')
        await press('Settings')(page)
        await page.getByRole('switch', { name: 'Practise' }).click()
        await page.getByText('Practice is on').waitFor()
      },
    },
    {
      name: 'staff-practice-real',
      path: paths.scanner(events.paid.id),
      as: 'admin',
      act: async (page) => {
        await page.locator('[data-verdict]').waitFor()
        await page.keyboard.press('Escape')
        await press('Settings')(page)
        await page.getByRole('switch', { name: 'Practise' }).click()
        await page.getByText('Practice is on').waitFor()
        await beep(page, ticketUrl(served.url, tickets.paid))
        await page.locator('[data-verdict]').waitFor()
      },
    },
    { name: 'staff-passes-none', path: paths.helpers(open.id), as: 'admin' },
    { name: 'staff-passes-add', path: paths.helpers(events.paid.id), as: 'admin', act: press('Add a helper') },
    {
      name: 'staff-passes-link',
      path: paths.helpers(events.paid.id),
      as: 'admin',
      act: async (page) => {
        await press('More for Ida Roth')(page)
        await page.getByRole('menuitem', { name: 'Make a new link' }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'staff-passes-scanner', path: paths.scanner(events.paid.id), as: 'pass', brief: '[data-verdict]' },
    { name: 'staff-passes-open', path: passLink },
    { name: 'staff-passes-over', path: paths.pass('used') },
    { name: 'invitation-expired', path: '/invitation#used' },
    { name: 'staff-profile', path: paths.profile, as: 'admin' },
    { name: 'staff-tokens', path: paths.apiTokens, as: 'admin' },
    { name: 'sudo', path: paths.sudoDashboard, as: 'sudo' },
    { name: 'sudo-club', path: paths.addClub, as: 'sudo' },
    { name: 'sudo-credential', path: paths.credential(clubId), as: 'sudo' },
    { name: 'sudo-page', path: paths.editPage('privacy-policy'), as: 'sudo' },
  ]
}
