import { useContext } from 'react'
import type { Permission } from '../../contract/permissions.ts'
import { Owner } from './owner.ts'
import { type SessionUser, useSession } from './session.ts'

/** Whether the user may do this for their club. The server decides; this only leaves out what it would refuse. */
export function may(user: Pick<SessionUser, 'permissions'> | undefined, permission: Permission): boolean {
  return user?.permissions.includes(permission) ?? false
}

/**
 * A function that says what whoever the page belongs to may do for their club. It stays the same while they are signed out with unsaved work,
 * which would disappear with what they may not do.
 */
export function useMay(): (permission: Permission) => boolean {
  const session = useSession()
  const user = (useContext(Owner) ?? session)?.user
  return (permission) => may(user, permission)
}
