import { useEffect } from 'react'
import { RouterProvider } from 'react-router'
import { refreshSession } from './api/load-session.ts'
import { hasDoor } from './door/phone/last-door.ts'
import { router } from './router.tsx'

/** All pages of the main layout. */
export function Pages() {
  useEffect(() => {
    // The stored user may have been changed on another device.
    void refreshSession().catch(() => {})
    // If a door was open once, its list is removed when its event is over. Not awaited.
    if (hasDoor()) void import('./door/phone/purge.ts').then(({ purgePast }) => purgePast()).catch(() => {})
  }, [])
  return <RouterProvider router={router} />
}
