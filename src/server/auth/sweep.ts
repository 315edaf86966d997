import { IDLE_DAYS } from '../access/caller.ts'
import type { Deps } from '../deps.ts'
import { deleteEnded } from '../limits/queries.ts'
import { deleteIdleSessions } from './queries.ts'

const HOUR = 60 * 60_000

/** Removes what has run out: idle sessions and ended counts of tries, once an hour. Clear the interval to stop. */
export function sweepSessions({ db, now, log }: Deps): NodeJS.Timeout {
  const sweep = async () => {
    const at = now().getTime()
    await deleteIdleSessions(db, new Date(at - IDLE_DAYS * 24 * HOUR))
    await deleteEnded(db, new Date(at - HOUR))
  }
  const timer = setInterval(() => void sweep().catch(() => log.warn('sweep of sessions failed')), HOUR)
  return timer.unref()
}
