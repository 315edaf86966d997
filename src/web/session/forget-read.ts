import { queryClient } from '../api/query-client.ts'
import { hasUnsaved } from '../ui/dialogs/unsaved.ts'
import { followSession, readSession } from './session.ts'
import { readToken } from './token.ts'

/**
 * Prevents one user from seeing data read for another: when the token changes, all of it is removed, except on a page with unsaved work.
 * To be called before anything is rendered, so that it runs before the pages look at the session.
 */
export function forgetReadOnSignOut(): void {
  let last = { token: readToken(), userId: readSession()?.user.id ?? null }
  followSession(() => {
    const token = readToken()
    if (token === last.token) return
    const userId = readSession()?.user.id ?? null
    const isHeld = userId === null ? hasUnsaved() : userId === last.userId
    if (isHeld) queryClient.removeQueries({ type: 'inactive' })
    else queryClient.clear()
    last = { token, userId: userId ?? last.userId }
  })
}
