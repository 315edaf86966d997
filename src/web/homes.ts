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
