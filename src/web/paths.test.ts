import { expect, test } from 'vitest'
import { type PagePath, pageAt } from '../contract/page-paths.ts'
import * as paths from './paths.ts'
import { kitPages, plainPages, signedInPages, ticketPages } from './routing/routes.ts'

const qrUuid = '0b9f5f6c-3c1b-4d2a-9a57-3d8c2f1e7a10'
const made: Record<keyof typeof paths, [string, PagePath]> = {
  landing: [paths.landing, '/'],
  register: [paths.register, '/register'],
  signin: [paths.signin, '/signin'],
  forgotPassword: [paths.forgotPassword, '/forgot-password'],
  profile: [paths.profile, '/profile'],
  apiTokens: [paths.apiTokens, '/profile/tokens'],
  signout: [paths.signout, '/signout'],
  sudoDashboard: [paths.sudoDashboard, '/dashboard/sudo'],
  adminDashboard: [paths.adminDashboard, '/dashboard/admin'],
  addClub: [paths.addClub, '/club/add'],
  editClub: [paths.editClub(7), '/club/edit/:clubId?'],
  credential: [paths.credential(7), '/club/:clubId/credential'],
  team: [paths.team, '/team'],
  history: [paths.history, '/history'],
  moveClub: [paths.moveClub, '/club/move'],
  personalData: [paths.personalData, '/personal-data'],
  addEvent: [paths.addEvent, '/event/add'],
  editEvent: [paths.editEvent(7), '/event/:eventId/edit'],
  form: [paths.form(7), '/event/:eventId/form'],
  attendees: [paths.attendees(7), '/event/:eventId/attendees'],
  vouchers: [paths.vouchers(7), '/event/:eventId/vouchers'],
  translations: [paths.translations(7), '/event/:eventId/translations'],
  statistics: [paths.statistics(7), '/event/:eventId/statistics'],
  page: [paths.page('terms'), '/page/:type'],
  editPage: [paths.editPage('terms'), '/page/:type/edit'],
  paperEntry: [paths.paperEntry(7), '/event/:eventId/door/paper'],
  practiceCodes: [paths.practiceCodes(7), '/event/:eventId/door/practice'],
  scanner: [paths.scanner(7), '/event/:eventId/scanner/:variant'],
  voucherScanner: [paths.voucherScanner(7), '/event/:eventId/scanner/:variant'],
  club: [paths.club(7), '/club/:clubId/event'],
  event: [paths.event({ id: 8, clubId: 7 }), '/club/:clubId/event/:eventId'],
  registered: [paths.registered({ id: 9, qrUuid, eventId: 8, clubId: 7 }), '/club/:clubId/event/:eventId/success'],
  order: [paths.order({ id: 9, secret: qrUuid }), '/order/:id/:secret'],
  ticket: [paths.ticket({ id: 9, qrUuid }), '/qr/:id/:qrUuid'],
  notFound: [paths.notFound(), '/not-found/:status?/:message?'],
}

test.each(Object.entries(made))('the path %s is that of its page', (_, [path, page]) => {
  expect(pageAt(path.replace(/\?.*/, ''))?.path).toBe(page)
})

test('no address is in the table twice, and each page has its own code or redirects', () => {
  const routes = [...ticketPages, ...plainPages, ...kitPages, ...signedInPages]
  expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length)
  for (const { path, lazy, loader } of routes) expect(lazy ?? loader, path).toBeTypeOf('function')
})
