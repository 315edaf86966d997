import * as z from 'zod/mini'
import { type CurrentUser, currentUser, role } from '../../contract/sign-in.ts'
import { id } from '../../contract/values/fields.ts'
import { createEmitter, useStore } from '../api/store.ts'
import { deleteStaffTickets } from '../offline/ticket-caches.ts'
import { deviceStore } from '../storage.ts'
import { readToken, TOKEN } from './token.ts'

/** The signed-in user. A role that this version does not know is kept as it is, but has no start page. */
export type SessionUser = Omit<CurrentUser, 'role'> & { role: string }

export interface Session {
  token: string
  user: SessionUser
}

/** For a role that this version does not know. */
const noTeam = { teamRole: null, permissions: [], eventIds: null, isPass: false, mustSetUp: false }
const stub = z.object({ id, role: z.string() })
const USER = 'currentUser'
const changes = createEmitter()
let known: { text: string; session: Session | null } = { text: '', session: null }

/**
 * The stored session; null when nobody is signed in, or when the stored user cannot be read. A token without a valid user is a
 * session too, but `loadSession` has to read its user first.
 */
export function readSession(): Session | null {
  const token = readToken() ?? ''
  const user = deviceStore.read(USER) ?? ''
  const text = `${token} ${user}`
  if (text !== known.text) known = { text, session: token === '' ? null : parse(token, user) }
  return known.session
}

function parse(token: string, text: string): Session | null {
  try {
    const stored: unknown = JSON.parse(text)
    const whole = z.safeParse(currentUser, stored)
    if (whole.success) return { token, user: whole.data }
    const { data } = z.safeParse(stub, stored)
    if (!data || z.safeParse(role, data.role).success) return null
    return {
      token,
      user: { fullName: '', email: '', image: '', clubId: null, clubName: null, language: null, ...noTeam, ...data },
    }
  } catch {
    return null
  }
}

/** Stores the session. Returns whether the next page load will have it too. */
export function storeSession({ token, user }: Session): boolean {
  // Writes the token last, so that other tabs never see the new token with the previous user.
  const isUserKept = deviceStore.write(USER, JSON.stringify(user))
  const isKept = deviceStore.write(TOKEN, token) && isUserKept
  tell()
  return isKept
}

/** Deletes the session, in all tabs, and the tickets opened in it on this device. */
export function clearSession(): void {
  void deleteStaffTickets().catch(() => {})
  deviceStore.remove(TOKEN)
  deviceStore.remove(USER)
  tell()
}

/** The session; also updates when another tab signs in or out. */
export function useSession(): Session | null {
  return useStore({ subscribe: changes.subscribe, get: readSession, initial: null })
}

function tell(): void {
  changes.emit()
}

/** Calls the listener whenever somebody has signed in or out, here or in another tab. */
export const followSession = changes.subscribe

globalThis.addEventListener?.('storage', tell)
