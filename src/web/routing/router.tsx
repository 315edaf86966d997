import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject, redirectDocument } from 'react-router'
import { ErrorPage } from '../layouts/ErrorPage.tsx'
import * as paths from '../paths.ts'
import { Loading } from '../ui/Loading.tsx'
import { dashboardPages, kitPages, plainPages, signedInPages, ticketPages } from './routes.ts'

/** Pages within a layout, which stays in place when one of them fails. */
function within(layout: () => Promise<ComponentType>, children: RouteObject[]): RouteObject {
  return {
    lazy: async () => ({ Component: await layout() }),
    children: [{ ErrorBoundary: ErrorPage, children }],
  }
}

function withKit(children: RouteObject[]): RouteObject {
  return within(async () => (await import('../layouts/StaffLayout.tsx')).StaffLayout, children)
}

/** The page of all components of `ui/`, only with `npm run dev`. */
const devPages: RouteObject[] = import.meta.env.DEV
  ? [{ path: '/dev/ui', lazy: async () => ({ Component: (await import('../dev/UiPage.tsx')).UiPage }) }]
  : []

/** Every page, each loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    HydrateFallback: Loading,
    ErrorBoundary: ErrorPage,
    children: [
      within(
        async () => (await import('../layouts/MainLayout.tsx')).MainLayout,
        [
          ...plainPages,
          withKit([...kitPages, ...devPages]),
          within(
            async () => (await import('../layouts/SignedIn.tsx')).SignedIn,
            [...dashboardPages, withKit(signedInPages)],
          ),
        ],
      ),
      within(async () => (await import('../registrations/ticket/TicketLayout.tsx')).TicketLayout, ticketPages),
      { path: '*', loader: () => redirectDocument(paths.notFound()) },
    ],
  },
])
