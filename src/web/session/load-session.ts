import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { call } from '../api/call.ts'
import { keepLanguage } from './keep-language.ts'
import { readSession, type Session, storeSession } from './session.ts'
import { readToken } from './token.ts'

/** The session with its user, which is read from the server if it is missing here; null when nobody is signed in. */
export async function loadSession(): Promise<Session | null> {
  if (readToken() === null) return null
  const session = readSession()
  if (session) return session
  try {
    return await refreshSession()
  } catch (error) {
    // The token has expired; the call has already shown that.
    if (error instanceof Refusal && error.code === 'SIGN_IN_NEEDED') return null
    throw error
  }
}

/** Reads the signed-in user again, because it may have been changed on another device. */
export async function refreshSession(): Promise<Session | null> {
  const token = readToken()
  if (token === null) return null
  const user = await call(authApi.getCurrentUser, {}, { background: true })
  // Somebody else may have signed in meanwhile.
  if (readToken() === token) {
    storeSession({ token, user })
    keepLanguage(user.language)
  }
  return readSession()
}
