import { Suspense } from 'react'
import { Outlet, ScrollRestoration } from 'react-router'
import { Loading } from '../ui/Loading.tsx'
import { useFocusOnNavigation } from './use-focus-on-navigation.ts'

/** The layout of a club's public pages: nothing but the page. */
export function HeaderlessLayout() {
  const main = useFocusOnNavigation()
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
      <ScrollRestoration />
    </main>
  )
}
