import { createContext, useContext } from 'react'
import type { Session } from './session.ts'

/** The session that owns the page: the current one, or the previous one while the person is signed out with unsaved work. */
export const Owner = createContext<Session | null>(null)

/** The owner, on pages that need a session. */
export function useOwner(): Session {
  const owner = useContext(Owner)
  if (!owner) throw new Error('Only pages of SignedIn have an owner.')
  return owner
}
