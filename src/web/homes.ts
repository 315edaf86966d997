import * as paths from './paths.ts'

/** The start page of a signed-in person. */
export function homeOf(user: { role: string }): string {
  if (user.role === 'sudo') return paths.sudoDashboard
  return user.role === 'admin' ? paths.adminDashboard : paths.signout
}

/** A path of this site to return to after signing in; anything else is ignored. */
export function safeNext(next: string | null): string | null {
  if (!next || !/^\/(?![/\\])[\x21-\x7e]*$/.test(next)) return null
  // Returning to the sign-out page would end the new session at once.
  return next.startsWith(paths.signout) ? null : next
}

/** The path of the sign-in page that returns here afterwards. */
export function toSignIn({ pathname, search }: { pathname: string; search: string }): string {
  return `${paths.signin}?next=${encodeURIComponent(pathname + search)}`
}
