import { type LoaderFunctionArgs, redirect, redirectDocument } from 'react-router'
import type { Permission } from '../../contract/permissions.ts'
import { homeOf, toSignIn } from '../homes.ts'
import { homeOfPass } from '../passes/pass-home.ts'
import * as paths from '../paths.ts'
import { loadSession, refreshSession } from '../session/load-session.ts'
import { may } from '../session/may.ts'
import type { Session } from '../session/session.ts'

/** Only for signed-out visitors; others are redirected home. */
export async function signedOutOnly() {
  // If the session cannot be read, the person can still sign in.
  const session = await loadSession().catch(() => null)
  return session ? redirect(homeOf(session.user)) : null
}

/** For all signed-in users; others sign in first and return here afterwards. */
export async function signedIn({ request }: LoaderFunctionArgs) {
  return (await loadSession()) ? null : redirect(toSignIn(new URL(request.url)))
}

/** For all with an account; helpers with a pass are redirected home. */
export async function withAccount(args: LoaderFunctionArgs) {
  const session = await loadSession()
  return session?.user.isPass ? redirect(homeOfPass(session.user)) : signedIn(args)
}

/** For the team of a club; others are redirected home. */
export async function adminOnly(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  if (session.user.isPass) return redirect(homeOfPass(session.user))
  return session.user.clubId === null ? redirect(homeOf(session.user)) : null
}

/** For those in a club's team with this permission; others are redirected home. */
export function needs(permission: Permission) {
  return async (args: LoaderFunctionArgs) => {
    const session = await loadSession()
    if (!session) return signedIn(args)
    const isAllowed = ({ user }: Session) => user.clubId !== null && may(user, permission)
    // The stored role may be older than the one they have now.
    const latest = isAllowed(session) ? session : await refreshSession().catch(() => session)
    return latest && isAllowed(latest) ? null : redirect(homeOf(session.user))
  }
}

/** The same, and for the operator. */
export function needsOrSudo(permission: Permission) {
  return async (args: LoaderFunctionArgs) => {
    const session = await loadSession()
    return session?.user.role === 'sudo' ? null : needs(permission)(args)
  }
}

/** For the operator; others are redirected home. */
export async function sudoOnly(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  return session.user.role === 'sudo' ? null : redirect(homeOf(session.user))
}

/** Redirects `/dashboard` to the user's own dashboard; a role without one gets not-found. */
export async function toOwnDashboard(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  const home = homeOf(session.user)
  return home === paths.signout ? redirectDocument(paths.notFound()) : redirect(home)
}
