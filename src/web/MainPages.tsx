import { RouterProvider } from 'react-router'
import { router } from './router.tsx'

/** All pages of the main layout. */
export function Pages() {
  return <RouterProvider router={router} />
}
