import type { ComponentType } from 'react'
import { createBrowserRouter, Outlet, type RouteObject, redirectDocument } from 'react-router'
import * as texts from '../../texts/generated/staff.ts'
import { ErrorPage } from '../layouts/ErrorPage.tsx'
import { HeaderlessLayout } from '../layouts/HeaderlessLayout.tsx'
import { paths } from '../paths.ts'
import { Loading } from '../ui/Loading.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
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

/** The layout that the server gives to tickets too. A stored page changes its language with the next one that is stored. */
function TicketLayout() {
  return (
    <HeaderlessLayout offered={[]}>
      <PageTitle title={texts.ticket()} />
      <Outlet />
    </HeaderlessLayout>
  )
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
      within(async () => TicketLayout, ticketPages),
      { path: '*', loader: () => redirectDocument(paths.notFound()) },
    ],
  },
])
