import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { savePasswordReset } from '../auth/queries.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { findUser } from '../records/user-queries.ts'
import { hashOf, newToken } from '../tokens.ts'

const DAY = 24 * 60 * 60_000
/** How long a link that is passed on is valid, in ms: longer than one that somebody has just asked for. */
const VALID_MS = 3 * DAY

/**
 * A link with which an admin chooses a password, for the operator to pass on: even if it was sent through a chat, it is worthless once it
 * was used. The token is behind the `#`, so that no server on the way sees it. Refuses with NOT_FOUND.
 */
export async function makePasswordLink({ db, now, settings }: Deps, caller: Caller, id: number) {
  const user = await findUser(db, id)
  if (user?.role !== 'admin') throw new Refusal('NOT_FOUND')
  const token = newToken()
  const expiresAt = new Date(now().getTime() + VALID_MS)
  await db.transaction().execute(async (tx) => {
    await savePasswordReset(tx, { userId: user.id, tokenHash: hashOf(token), expiresAt }, now())
    const what = { subject: 'user' as const, subjectId: user.id, action: 'link for a password made' }
    await logChange(tx, now(), { clubId: user.clubId, userId: caller.id, ...what })
  })
  return { url: `${settings.baseUrl}/reset-password#${token}`, expiresAt }
}
