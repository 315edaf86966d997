import * as texts from '../../texts/generated/common.ts'
import { createStore, useStore } from '../api/store.ts'
import { hasUnsaved } from '../ui/dialogs/unsaved.ts'
import { notify } from '../ui/notices/notify.ts'
import { clearSession, readSession } from './session.ts'
import { readToken } from './token.ts'

/** Calls that wait until the person has signed in again, and are then sent once more. */
const waiting = new Set<(again: boolean) => void>()
const isWaiting = createStore(false)
/** The id of the user whose page is shown; only that page can ask for a sign-in. */
let owner: number | null = null

/**
 * Called when a token was refused or is gone. Where unsaved work would be lost, a sign-in dialog opens over the page. Returns
 * whether the same person is back, so that the call can be sent again. Otherwise the session ends, with a notification.
 */
export async function signInAgain(token: string | null, isRead: boolean): Promise<boolean> {
  const now = readToken()
  // Another tab has already signed in again.
  if (now !== null && now !== token) return owner !== null && readSession()?.user.id === owner
  // Must run before the session is cleared, which would remove the page.
  const answer = owner !== null && (hasUnsaved() || !isRead) ? wait() : null
  if (now !== null) clearSession()
  if (answer) return answer
  notify('info', texts.sessionEnded())
  return false
}

function wait(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.add(resolve)
    isWaiting.set(true)
  })
}

/** Tells all waiting calls whether to send again. */
export function settleWaiting(again: boolean): void {
  const settled = [...waiting]
  waiting.clear()
  for (const resolve of settled) resolve(again)
  isWaiting.set(false)
}

/** Lets a page of this user ask for a sign-in until the returned function is called. */
export function askFor(userId: number): () => void {
  owner = userId
  return () => {
    owner = null
    settleWaiting(false)
  }
}

/** Whether a call waits for a sign-in. */
export function useIsWaiting(): boolean {
  return useStore(isWaiting)
}
