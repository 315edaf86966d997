import { findSession, touchSession } from '../auth/queries.ts'
import { hashToken } from '../auth/tokens.ts'
import type { Db } from '../db/schema.ts'

export interface Person {
  id: number
  fullName: string
  tokenHash: string
}

/** Who makes the call. */
export type Caller = (Person & { role: 'sudo'; clubId: null }) | AdminCaller
export type AdminCaller = Person & { role: 'admin'; clubId: number }

const DAY = 24 * 60 * 60_000
/** A session ends after this long without use. */
export const IDLE_DAYS = 30
const TOUCH_EVERY = 60 * 60_000

/** The caller that this `Authorization` header proves, with or without `Bearer `; null when it proves none. */
export async function callerOf(db: Db, header: string | undefined, now: Date): Promise<Caller | null> {
  const token = header?.replace(/^Bearer\s+/i, '').trim()
  if (!token) return null
  const tokenHash = hashToken(token)
  const session = await findSession(db, tokenHash, new Date(now.getTime() - IDLE_DAYS * DAY))
  if (!session) return null
  // Noted once an hour at the most: a write for each call would cost more than it tells.
  if (now.getTime() - session.lastUsedAt.getTime() > TOUCH_EVERY) await touchSession(db, tokenHash, now)
  const person = { id: session.id, fullName: session.fullName, tokenHash }
  return session.clubId === null
    ? { ...person, role: 'sudo', clubId: null }
    : { ...person, role: 'admin', clubId: session.clubId }
}
