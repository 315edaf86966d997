import { IDLE_DAYS } from '../access/caller.ts'
import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { deleteEnded } from '../limits/queries.ts'
import { deleteOldMailAddresses } from '../mail/state-queries.ts'
import { deleteSilentPhones } from '../records/phone-queries.ts'
import { deleteOldInvitations } from '../records/user-queries.ts'
import { deleteExpiredChallenges } from '../second-factor/passkey-queries.ts'
import { deleteExpiredAddresses } from './address-queries.ts'
import { deleteExpiredResets, deleteExpiredTokens, deleteIdleSessions } from './queries.ts'

const HOUR = 60 * 60_000
/** For how many days an expired invitation stays in the team's list, so that it can be sent again. */
const KEPT_DAYS = 7
/** The same for an expired API token, so that people see why a program stopped. */
const TOKEN_KEPT_DAYS = 30

/**
 * Removes what has expired: idle sessions, API tokens, links for a new password or address, invitations, old counts of tries and of mails, and phones that were
 * at a door the day before.
 */
export async function sweepSignIns({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const at = now()
  await deleteIdleSessions(db, new Date(at.getTime() - IDLE_DAYS * 24 * HOUR))
  await deleteExpiredResets(db, at)
  await deleteExpiredAddresses(db, at)
  await deleteExpiredChallenges(db, at)
  await deleteExpiredTokens(db, new Date(at.getTime() - TOKEN_KEPT_DAYS * 24 * HOUR))
  await deleteOldInvitations(db, new Date(at.getTime() - KEPT_DAYS * 24 * HOUR))
  await deleteEnded(db, new Date(at.getTime() - HOUR))
  await deleteOldMailAddresses(db, new Date(at.getTime() - 24 * HOUR))
  await deleteSilentPhones(db, new Date(at.getTime() - 24 * HOUR))
}

/** Sweeps now, since a server that is restarted often would never do it later, and once an hour. Clear the interval to stop. */
export function keepSignInsSwept(deps: Deps): NodeJS.Timeout {
  const sweep = () =>
    void sweepSignIns(deps).catch((error: unknown) =>
      deps.log.warn({ err: describeError(error) }, 'sweep of sessions failed'),
    )
  sweep()
  return setInterval(sweep, HOUR).unref()
}
