import { Outlet } from 'react-router'
import { Kit } from './Kit.tsx'

/** The layout of pages that use the interface kit. */
export function StaffLayout() {
  return (
    <Kit>
      <Outlet />
    </Kit>
  )
}
