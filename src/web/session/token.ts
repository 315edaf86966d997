import { deviceStore } from '../storage.ts'

/** Where the session's token is kept. */
export const TOKEN = 'token'

/** The token of whoever is signed in. Apart from the session, so that visitors load no more than this. */
export function readToken(): string | null {
  return deviceStore.read(TOKEN) || null
}
