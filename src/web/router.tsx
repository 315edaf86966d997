import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
import { toLastDoor } from './door/phone/last-door.ts'
import { signedIn, signedOutOnly, sudoOnly, toOwnDashboard } from './guards.ts'
import { ErrorPage } from './layouts/ErrorPage.tsx'
import { paths } from './paths.ts'
import { Loading } from './ui/Loading.tsx'

/** Pages with the interface kit: those of staff. */
const staffPages: RouteObject[] = [
  {
    path: 'signin',
    loader: signedOutOnly,
    lazy: async () => ({ Component: (await import('./auth/SignInPage.tsx')).SignInPage }),
  },
  {
    path: 'register',
    loader: signedOutOnly,
    lazy: async () => ({ Component: (await import('./auth/RegisterPage.tsx')).RegisterPage }),
  },
  {
    path: 'forgot-password',
    loader: signedOutOnly,
    lazy: async () => ({ Component: (await import('./auth/ForgotPasswordPage.tsx')).ForgotPasswordPage }),
  },
  {
    path: 'reset-password',
    lazy: async () => ({ Component: (await import('./auth/ResetPasswordPage.tsx')).ResetPasswordPage }),
  },
  {
    path: 'signout',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./auth/SignOutPage.tsx')).SignOutPage }),
  },
  { path: 'dashboard', loader: toOwnDashboard },
  { path: 'door', loader: toLastDoor },
]

/** Those of whoever is signed in: each stays while it holds unsaved work, whatever becomes of the session. */
const signedInPages: RouteObject[] = [
  {
    path: 'profile',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./users/ProfilePage.tsx')).ProfilePage }),
  },
  {
    path: 'dashboard/sudo',
    loader: sudoOnly,
    lazy: async () => ({ Component: (await import('./dashboard/SudoDashboardPage.tsx')).SudoDashboardPage }),
  },
  {
    path: 'dashboard/admin',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./dashboard/AdminDashboardPage.tsx')).AdminDashboardPage }),
  },
  {
    path: 'club/add',
    loader: sudoOnly,
    lazy: async () => ({ Component: (await import('./clubs/ClubFormPage.tsx')).ClubFormPage }),
  },
  {
    path: 'club/edit/:clubId?',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./clubs/ClubFormPage.tsx')).ClubFormPage }),
  },
  {
    path: 'club/:clubId/credential',
    loader: sudoOnly,
    lazy: async () => ({ Component: (await import('./users/CredentialPage.tsx')).CredentialPage }),
  },
  {
    path: 'event/add',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./events/EventFormPage.tsx')).EventFormPage }),
  },
  {
    path: 'event/:eventId/edit',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./events/EventFormPage.tsx')).EventFormPage }),
  },
  {
    path: 'event/:eventId/form',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./forms/FormBuilderPage.tsx')).FormBuilderPage }),
  },
  {
    path: 'event/:eventId/attendees',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./attendees/AttendeesPage.tsx')).AttendeesPage }),
  },
  {
    path: 'event/:eventId/vouchers',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./extras/VouchersPage.tsx')).VouchersPage }),
  },
  {
    path: 'event/:eventId/statistics',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./statistics/StatisticsPage.tsx')).StatisticsPage }),
  },
  {
    path: 'page/:type/edit',
    loader: sudoOnly,
    lazy: async () => ({ Component: (await import('./pages/EditPagePage.tsx')).EditPagePage }),
  },
  {
    path: 'event/:eventId/scanner/:variant',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./door/ScannerPage.tsx')).ScannerPage }),
  },
]

const publicMainPages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./landing/LandingPage.tsx')).LandingPage }) },
  {
    path: 'qr/:id/:qrUuid',
    lazy: async () => ({ Component: (await import('./registrations/ticket/TicketPage.tsx')).TicketPage }),
  },
  {
    path: 'page/:type',
    lazy: async () => ({ Component: (await import('./pages/InfoPage.tsx')).InfoPage }),
  },
  {
    path: 'not-found/:status?/:message?',
    lazy: async () => ({ Component: (await import('./landing/NotFoundPage.tsx')).NotFoundPage }),
  },
]

/** Every page of the main layout, each loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    HydrateFallback: Loading,
    ErrorBoundary: ErrorPage,
    children: [
      {
        lazy: async () => ({ Component: (await import('./layouts/MainLayout.tsx')).MainLayout }),
        children: [
          {
            ErrorBoundary: ErrorPage,
            children: [
              ...publicMainPages,
              {
                lazy: async () => ({ Component: (await import('./layouts/StaffLayout.tsx')).StaffLayout }),
                children: [
                  {
                    ErrorBoundary: ErrorPage,
                    children: [
                      ...staffPages,
                      {
                        lazy: async () => ({ Component: (await import('./layouts/SignedIn.tsx')).SignedIn }),
                        children: [{ ErrorBoundary: ErrorPage, children: signedInPages }],
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to={paths.notFound()} replace /> },
    ],
  },
])
