import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { type CurrentUser, currentUser } from '../../contract/auth.ts'
import { deviceStore } from '../storage.ts'

export interface Session {
  token: string
  user: CurrentUser
}

const stored = z.object({ token: z.string().check(z.minLength(1)), user: currentUser })
const TOKEN = 'token'
const USER = 'currentUser'
const listeners = new Set<() => void>()
let known: { text: string; session: Session | null } = { text: '', session: null }

/** Who is signed in, as stored with the token; null when nobody is, or when what is stored makes no sense. */
export function readSession(): Session | null {
  const token = deviceStore.read(TOKEN) ?? ''
  const user = deviceStore.read(USER) ?? ''
  const text = `${token} ${user}`
  if (text !== known.text) known = { text, session: parse(token, user) }
  return known.session
}

function parse(token: string, user: string): Session | null {
  try {
    const result = z.safeParse(stored, { token, user: JSON.parse(user) })
    return result.success ? result.data : null
  } catch {
    return null
  }
}

export function storeSession({ token, user }: Session): void {
  deviceStore.write(TOKEN, token)
  deviceStore.write(USER, JSON.stringify(user))
  tell()
}

export function clearSession(): void {
  deviceStore.remove(TOKEN)
  deviceStore.remove(USER)
  tell()
}

/** The session, followed also when another tab signs in or out. */
export function useSession(): Session | null {
  return useSyncExternalStore(subscribe, readSession)
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}
