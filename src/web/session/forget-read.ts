import { queryClient } from '../api/query-client.ts'
import { hasUnsaved } from '../ui/dialogs/unsaved.ts'
import { followSession, readSession } from './session.ts'
import { readToken } from './token.ts'

/**
 * Nobody sees data read for somebody else: with another token all of it is removed, except on a page with unsaved work. To be called before
 * anything is shown, so that it comes before the pages look at the session.
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
