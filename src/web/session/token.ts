import { deviceStore } from '../storage.ts'

/** Where the session's token is kept. */
export const TOKEN = 'token'

/** The session's token; null when nobody is signed in. Separate from session.ts, so that visitors load no more than this. */
export function readToken(): string | null {
  return deviceStore.read(TOKEN) || null
}
