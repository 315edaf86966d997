import { createBrowserRouter, Navigate, type RouteObject } from 'react-router'
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
    path: 'signout',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./auth/SignOutPage.tsx')).SignOutPage }),
  },
  { path: 'dashboard', loader: toOwnDashboard },
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
    path: 'event/:eventId/scanner/:variant',
    loader: signedIn,
    lazy: async () => ({ Component: (await import('./checkins/ScannerPage.tsx')).ScannerPage }),
  },
]

const publicMainPages: RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('./landing/LandingPage.tsx')).LandingPage }) },
  {
    path: 'qr/:id/:qrUuid',
    lazy: async () => ({ Component: (await import('./registrations/TicketPage.tsx')).TicketPage }),
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
                children: [{ ErrorBoundary: ErrorPage, children: staffPages }],
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to={paths.notFound()} replace /> },
    ],
  },
])
