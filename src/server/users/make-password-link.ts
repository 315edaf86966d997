import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { newLink } from '../auth/new-link.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'

const DAY = 24 * 60 * 60_000
/** How long a link that is passed on is valid, in ms: longer than one that somebody has just asked for. */
const VALID_MS = 3 * DAY

/**
 * A link with which an admin chooses a password, for the operator to pass on: even if it was sent through a chat, it is worthless once it
 * was used. The token is behind the `#`, so that no server on the way sees it. Refuses with NOT_FOUND.
 */
export async function makePasswordLink({ db, now, settings }: Deps, caller: Caller, id: number) {
  const at = now()
  const expiresAt = new Date(at.getTime() + VALID_MS)
  const token = await db.transaction().execute(async (tx) => {
    const link = await newLink(tx, id, at, ({ role }) => (role === 'admin' ? expiresAt : null))
    if (!link) throw new Refusal('NOT_FOUND')
    const what = { subject: 'user' as const, subjectId: id, action: 'link for a password made' }
    await logChange(tx, at, { clubId: link.user.clubId, userId: caller.id, ...what })
    return link.token
  })
  return { url: `${settings.baseUrl}/reset-password#${token}`, expiresAt }
}
