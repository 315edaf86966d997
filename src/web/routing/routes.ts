import { type LoaderFunction, type RouteObject, redirect } from 'react-router'
import type { PagePath } from '../../contract/page-paths.ts'
import { lastDoorPath } from '../door/phone/last-door.ts'
import { adminOnly, signedIn, signedOutOnly, sudoOnly, toOwnDashboard } from './guards.ts'
import { anyone, page } from './page-route.ts'

/** An address that only redirects. */
const way = (path: PagePath, loader: LoaderFunction): RouteObject => ({ path, loader })

/** Tickets and vouchers, on a device that has stored a ticket or the door. */
export const ticketPages = [page('/qr/:id/:qrUuid', '', anyone, () => import('../registrations/ticket/TicketPage.tsx'))]

/** Pages without the interface kit. */
export const plainPages = [
  // The server renders these too; they are also here because a session may end without network.
  page('/signin', 'Sign in', signedOutOnly, () => import('../auth/SignInPage.tsx')),
  page('/register', 'Sign up your club', signedOutOnly, () => import('../auth/SignUpPage.tsx')),
  page('/forgot-password', 'Forgot your password?', signedOutOnly, () => import('../auth/ForgotPasswordPage.tsx')),
  page('/reset-password', 'Choose a new password', anyone, () => import('../auth/ResetPasswordPage.tsx')),
]

/** The sign-out page, with the interface kit, and addresses that redirect. */
export const kitPages = [
  page('/signout', 'Sign out', signedIn, () => import('../auth/SignOutPage.tsx')),
  way('/dashboard', toOwnDashboard),
  way('/door', () => redirect(lastDoorPath())),
]

/** The page on which most visits of staff begin; without the interface kit, so that it loads fast. */
export const dashboardPages = [
  page(
    '/dashboard/admin',
    'Dashboard',
    adminOnly,
    () => import('../dashboard/AdminDashboardPage.tsx'),
    'adminDashboard',
  ),
]

/** Pages that need a session. With unsaved work they stay when it ends. */
export const signedInPages = [
  page('/profile', 'Your profile', signedIn, () => import('../users/ProfilePage.tsx')),
  page('/dashboard/sudo', 'Clubs', sudoOnly, () => import('../dashboard/SudoDashboardPage.tsx'), 'sudoDashboard'),
  page('/club/add', 'Add a club', sudoOnly, () => import('../clubs/ClubFormPage.tsx')),
  page('/club/edit/:clubId?', 'Edit the club', signedIn, () => import('../clubs/ClubFormPage.tsx'), 'clubForm'),
  page('/club/:clubId/credential', 'Admins', sudoOnly, () => import('../users/CredentialPage.tsx'), 'credentials'),
  page('/event/add', 'Add an event', adminOnly, () => import('../events/EventFormPage.tsx'), 'newEvent'),
  page('/event/:eventId', 'Overview', adminOnly, () => import('../events/home/OverviewPage.tsx'), 'eventHome'),
  page('/event/:eventId/edit', 'Settings', adminOnly, () => import('../events/EventFormPage.tsx'), 'event'),
  page(
    '/event/:eventId/form',
    'Registration form',
    adminOnly,
    () => import('../forms/FormBuilderPage.tsx'),
    'formBuilder',
  ),
  page(
    '/event/:eventId/attendees',
    'Attendees',
    adminOnly,
    () => import('../attendees/AttendeesPage.tsx'),
    'attendees',
  ),
  page('/event/:eventId/vouchers', 'Vouchers', adminOnly, () => import('../extras/VouchersPage.tsx'), 'vouchers'),
  page('/event/:eventId/statistics', 'Statistics', signedIn, () => import('../statistics/StatisticsPage.tsx'), 'event'),
  page('/event/:eventId/scanner/:variant', 'Scanner', adminOnly, () => import('../door/ScannerPage.tsx')),
  page('/page/:type/edit', '', sudoOnly, () => import('../pages/StaticPageEditor.tsx')),
]
