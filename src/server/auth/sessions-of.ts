import { type Caller, IDLE_DAYS } from '../access/caller.ts'
import type { Deps } from '../deps.ts'
import { listSessions } from './queries.ts'

const DAY = 24 * 60 * 60_000

/** The sessions of the caller, with which of them is this one. */
export async function sessionsOf({ db, now }: Deps, caller: Caller) {
  const idleSince = new Date(now().getTime() - IDLE_DAYS * DAY)
  const sessions = await listSessions(db, caller.id, idleSince)
  return sessions.map(({ tokenHash, ...session }) => ({ ...session, isCurrent: tokenHash === caller.tokenHash }))
}
