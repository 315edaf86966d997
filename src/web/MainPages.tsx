import { useEffect } from 'react'
import { RouterProvider } from 'react-router'
import { queryClient } from './api/query-client.ts'
import { hasDoor } from './door/phone/last-door.ts'
import { goBy } from './go-to.ts'
import { preloadOnIntent } from './routing/preload.ts'
import { router } from './routing/router.tsx'
import { followRole } from './session/follow-role.ts'
import { refreshSession } from './session/load-session.ts'

/** All pages of the main layout. */
export function Pages() {
  useEffect(() => {
    goBy((path, options) => void router.navigate(path, options))
    // The stored user may have been changed on another device.
    void refreshSession()
      .then(async (session) => {
        // What they may do may have changed while the scanner was closed.
        if (session && hasDoor()) await (await import('./door/phone/purge.ts')).purgeForbidden(session.user)
      })
      .catch(() => {})
    // If a door was open once, its list is removed when its event is over. Not awaited.
    if (hasDoor()) void import('./door/phone/purge.ts').then(({ purgePast }) => purgePast()).catch(() => {})
    const stops = [preloadOnIntent(), followRole(queryClient)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
  return <RouterProvider router={router} />
}
