import { useEffect } from 'react'
import { RouterProvider } from 'react-router'
import { refreshSession } from './api/load-session.ts'
import { hasDoor } from './door/phone/last-door.ts'
import { router } from './router.tsx'

/** All pages of the main layout. */
export function Pages() {
  useEffect(() => {
    // What is stored here of the person may have been changed on another device.
    void refreshSession().catch(() => {})
    // Where a door was open once, whatever is opened next looks whether its event is over. Nobody waits for it.
    if (hasDoor()) void import('./door/phone/purge.ts').then(({ purgePast }) => purgePast()).catch(() => {})
  }, [])
  return <RouterProvider router={router} />
}
