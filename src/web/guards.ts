import { type LoaderFunctionArgs, redirect } from 'react-router'
import { loadSession } from './api/load-session.ts'
import { paths } from './paths.ts'

/** Where a signed-in person belongs. */
export function homeOf(user: { role: string }): string {
  if (user.role === 'sudo') return paths.sudoDashboard
  return user.role === 'admin' ? paths.adminDashboard : paths.signout
}

/** A path of this site to return to after signing in; anything else is ignored. */
export function safeNext(next: string | null): string | null {
  if (!next || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return null
  // Signing out right after signing in would make no sense.
  return next.startsWith(paths.signout) ? null : next
}

/** The path to sign in and return here. */
export function toSignIn({ pathname, search }: { pathname: string; search: string }): string {
  return `${paths.signin}?next=${encodeURIComponent(pathname + search)}`
}

/** Only for signed-out visitors; others are redirected home. */
export async function signedOutOnly() {
  // If the session cannot be read, signing in is possible.
  const session = await loadSession().catch(() => null)
  return session ? redirect(homeOf(session.user)) : null
}

/** For everybody signed in; others sign in first and return here afterwards. */
export async function signedIn({ request }: LoaderFunctionArgs) {
  return (await loadSession()) ? null : redirect(toSignIn(new URL(request.url)))
}

/** For the admin of a club; others are redirected home. */
export async function adminOnly(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  return session.user.clubId === null ? redirect(homeOf(session.user)) : null
}

/** For the operator; others are redirected home. */
export async function sudoOnly(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  return session.user.role === 'sudo' ? null : redirect(homeOf(session.user))
}

/** `/dashboard` leads to one's own dashboard; a role without one gets not-found. */
export async function toOwnDashboard(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  const home = homeOf(session.user)
  return redirect(home === paths.signout ? paths.notFound() : home)
}
