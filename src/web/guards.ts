import { type LoaderFunctionArgs, redirect } from 'react-router'
import type { CurrentUser } from '../contract/auth.ts'
import { readSession } from './api/session.ts'
import { paths } from './paths.ts'

/** Where a signed-in person belongs. */
export function homeOf(user: Pick<CurrentUser, 'role'>): string {
  if (user.role === 'sudo') return paths.sudoDashboard
  return user.role === 'admin' ? paths.adminDashboard : paths.signout
}

/** A path of our own to return to after signing in; anything else is ignored. */
export function safeNext(next: string | null): string | null {
  if (!next || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return null
  // Whoever was on the way out has just come in again.
  return next.startsWith(paths.signout) ? null : next
}

/** Signed-in people have no business here: they go home. */
export function signedOutOnly() {
  const session = readSession()
  return session ? redirect(homeOf(session.user)) : null
}

/** Others are asked to sign in first, and come back here afterwards. */
export function signedIn({ request }: LoaderFunctionArgs) {
  if (readSession()) return null
  const { pathname, search } = new URL(request.url)
  return redirect(`${paths.signin}?next=${encodeURIComponent(pathname + search)}`)
}

/** For the operator; others go home. */
export function sudoOnly(args: LoaderFunctionArgs) {
  const session = readSession()
  if (!session) return signedIn(args)
  return session.user.role === 'sudo' ? null : redirect(homeOf(session.user))
}

/** `/dashboard` itself is only a way to one's own. */
export function toOwnDashboard(args: LoaderFunctionArgs) {
  const session = readSession()
  return session ? redirect(homeOf(session.user)) : signedIn(args)
}
