import { type LoaderFunction, type RouteObject, redirect } from 'react-router'
import type { PagePath } from '../../contract/page-paths.ts'
import * as texts from '../../texts/generated/titles.ts'
import { lastDoorPath } from '../door/phone/last-door.ts'
import {
  adminOnly,
  needs,
  needsOrSudo,
  signedIn,
  signedOutOnly,
  sudoOnly,
  toOwnDashboard,
  withAccount,
} from './guards.ts'
import { anyone, page } from './page-route.ts'

/** An address that only redirects. */
const way = (path: PagePath, loader: LoaderFunction): RouteObject => ({ path, loader })

/** Tickets and vouchers, on a device that has stored a ticket or the door. */
export const ticketPages = [
  page('/qr/:id/:qrUuid', null, anyone, () => import('../registrations/ticket/TicketPage.tsx')),
]

/** Pages without the interface kit. */
export const plainPages = [
  // The server renders these too; they are also here because a session may end without network.
  page('/signin', texts.signIn, signedOutOnly, () => import('../auth/SignInPage.tsx')),
  page('/register', texts.signUpYourClub, signedOutOnly, () => import('../auth/SignUpPage.tsx')),
  page('/forgot-password', texts.forgotYourPassword, signedOutOnly, () => import('../auth/ForgotPasswordPage.tsx')),
  page('/reset-password', texts.chooseANewPassword, anyone, () => import('../auth/ResetPasswordPage.tsx')),
  page('/confirm-address', texts.confirmYourAddress, anyone, () => import('../auth/ConfirmAddressPage.tsx')),
  page('/pass', texts.helperPass, anyone, () => import('../passes/PassPage.tsx')),
  page('/invitation', texts.joinTheTeam, anyone, () => import('../auth/InvitationPage.tsx')),
]

/** The sign-out page, with the interface kit, and addresses that redirect. */
export const kitPages = [
  page('/signout', texts.signOut, signedIn, () => import('../auth/SignOutPage.tsx')),
  way('/dashboard', toOwnDashboard),
  way('/door', () => redirect(lastDoorPath())),
]

/** The page on which most visits of staff begin; without the interface kit, so that it loads fast. */
export const dashboardPages = [
  page(
    '/dashboard/admin',
    texts.dashboard,
    adminOnly,
    () => import('../dashboard/AdminDashboardPage.tsx'),
    async () => (await import('./dashboard-data.ts')).adminDashboard,
  ),
]

/** Pages that need a session. With unsaved work they stay when it ends. */
export const signedInPages = [
  page('/profile', texts.yourProfile, withAccount, () => import('../users/ProfilePage.tsx')),
  page('/profile/tokens', texts.apiTokens, withAccount, () => import('../api-tokens/TokensPage.tsx'), 'apiTokens'),
  page('/dashboard/sudo', texts.clubs, sudoOnly, () => import('../dashboard/SudoDashboardPage.tsx'), 'sudoDashboard'),
  page('/platform', texts.platform, sudoOnly, () => import('../platform/PlatformPage.tsx'), 'platform'),
  page('/club/add', texts.addAClub, sudoOnly, () => import('../clubs/ClubFormPage.tsx')),
  page(
    '/club/edit/:clubId?',
    texts.editTheClub,
    needsOrSudo('club'),
    () => import('../clubs/ClubFormPage.tsx'),
    'clubForm',
  ),
  page('/club/:clubId/credential', texts.admins, sudoOnly, () => import('../users/CredentialPage.tsx'), 'credentials'),
  page('/team', texts.team, needs('team'), () => import('../team/TeamPage.tsx'), 'team'),
  page('/club/webhooks', texts.webhooks, needs('club'), () => import('../webhooks/WebhooksPage.tsx'), 'webhooks'),
  page('/club/move', texts.moveClub, needs('team'), () => import('../club-files/MoveClubPage.tsx'), 'moveClub'),
  page('/history', texts.history, needs('events'), () => import('../history/HistoryPage.tsx'), 'history'),
  page('/personal-data', texts.personalData, needs('attendees'), () => import('../personal-data/PersonalDataPage.tsx')),
  page('/event/add', texts.addAnEvent, needs('events'), () => import('../events/EventFormPage.tsx'), 'newEvent'),
  page('/event/:eventId', texts.overview, needs('read'), () => import('../events/home/OverviewPage.tsx'), 'eventHome'),
  page(
    '/event/:eventId/edit',
    texts.settings,
    needs('events'),
    () => import('../events/EventFormPage.tsx'),
    'eventSettings',
  ),
  page(
    '/event/:eventId/form',
    texts.registrationForm,
    needs('events'),
    () => import('../forms/FormBuilderPage.tsx'),
    'formBuilder',
  ),
  page(
    '/event/:eventId/attendees',
    texts.attendees,
    needs('read'),
    () => import('../attendees/AttendeesPage.tsx'),
    'attendees',
  ),
  page(
    '/event/:eventId/tickets',
    texts.tickets,
    needs('read'),
    () => import('../ticket-types/TicketTypesPage.tsx'),
    'ticketTypes',
  ),
  page(
    '/event/:eventId/vouchers',
    texts.vouchers,
    needs('read'),
    () => import('../extras/VouchersPage.tsx'),
    'vouchers',
  ),
  page(
    '/event/:eventId/translations',
    texts.translations,
    needs('events'),
    () => import('../translations/TranslationsPage.tsx'),
    'translations',
  ),
  page(
    '/event/:eventId/statistics',
    texts.statistics,
    needsOrSudo('read'),
    () => import('../statistics/StatisticsPage.tsx'),
    'event',
  ),
  page('/event/:eventId/door', texts.helpers, needs('events'), () => import('../passes/HelpersPage.tsx'), 'helpers'),
  page(
    '/event/:eventId/door/paper',
    texts.paperEntry,
    needs('search'),
    () => import('../door/paper/PaperEntryPage.tsx'),
    'event',
  ),
  page(
    '/event/:eventId/door/practice',
    texts.practiceCodes,
    needs('events'),
    () => import('../board/PracticeCodesPage.tsx'),
    'event',
  ),
  page('/event/:eventId/scanner/:variant', texts.scanner, needs('door'), () => import('../door/ScannerPage.tsx')),
  page('/page/:type/edit', null, sudoOnly, () => import('../pages/StaticPageEditor.tsx')),
]
