import { type LoaderFunctionArgs, redirect } from 'react-router'
import { loadSession } from './api/load-session.ts'
import { paths } from './paths.ts'

/** Where a signed-in person belongs. */
export function homeOf(user: { role: string }): string {
  if (user.role === 'sudo') return paths.sudoDashboard
  return user.role === 'admin' ? paths.adminDashboard : paths.signout
}

/** A path of our own to return to after signing in; anything else is ignored. */
export function safeNext(next: string | null): string | null {
  if (!next || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return null
  // Whoever was on the way out has just come in again.
  return next.startsWith(paths.signout) ? null : next
}

/** The way to sign in and back to where one is. */
export function toSignIn({ pathname, search }: { pathname: string; search: string }): string {
  return `${paths.signin}?next=${encodeURIComponent(pathname + search)}`
}

/** Signed-in people have no business here: they go home. */
export async function signedOutOnly() {
  // Without an answer who it is, they may as well sign in.
  const session = await loadSession().catch(() => null)
  return session ? redirect(homeOf(session.user)) : null
}

/** Others are asked to sign in first, and come back here afterwards. */
export async function signedIn({ request }: LoaderFunctionArgs) {
  return (await loadSession()) ? null : redirect(toSignIn(new URL(request.url)))
}

/** For somebody with a club; others go home. */
export async function adminOnly(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  return session.user.clubId === null ? redirect(homeOf(session.user)) : null
}

/** For the operator; others go home. */
export async function sudoOnly(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  return session.user.role === 'sudo' ? null : redirect(homeOf(session.user))
}

/** `/dashboard` itself is only a way to one's own; a role without one is lost here. */
export async function toOwnDashboard(args: LoaderFunctionArgs) {
  const session = await loadSession()
  if (!session) return signedIn(args)
  const home = homeOf(session.user)
  return redirect(home === paths.signout ? paths.notFound() : home)
}
