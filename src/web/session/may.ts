import type { Permission } from '../../contract/permissions.ts'
import { type SessionUser, useSession } from './session.ts'

/** Whether the user may do this for their club. The server decides; this only leaves out what it would refuse. */
export function may(user: Pick<SessionUser, 'permissions'> | undefined, permission: Permission): boolean {
  return user?.permissions.includes(permission) ?? false
}

/** A function that says what the signed-in person may do for their club. */
export function useMay(): (permission: Permission) => boolean {
  const user = useSession()?.user
  return (permission) => may(user, permission)
}
