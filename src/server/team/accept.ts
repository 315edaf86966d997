import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { teamApi } from '../../contract/team.ts'
import type { Language } from '../../texts/language.ts'
import { checkNewPassword } from '../auth/common-passwords.ts'
import { hashPassword } from '../auth/passwords.ts'
import { takePasswordReset } from '../auth/queries.ts'
import { type OpenedFrom, openSession } from '../auth/sign-in.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { removeImages } from '../images/remove-images.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { updateUser } from '../records/user-queries.ts'
import { hashOf } from '../tokens.ts'
import { deleteUser } from '../users/queries.ts'
import { findInvited } from './queries.ts'

interface From extends OpenedFrom {
  language: Language | null
}

/** What the link of an invitation is for. Refuses with LINK_EXPIRED and TOO_MANY_TRIES. */
export async function readInvitation(deps: Deps, token: string, address: string) {
  await limitTries(deps, byNetwork('invitation link by network', address))
  const found = await findInvited(deps.db, hashOf(token), deps.now())
  if (!found?.teamRole) throw new Refusal('LINK_EXPIRED')
  return { ...found, teamRole: found.teamRole }
}

/**
 * Joins the team with a name and password of one's own, and signs in. The link works once. Refuses with LINK_EXPIRED, INVALID_INPUT and
 * TOO_MANY_TRIES.
 */
export async function acceptInvitation(deps: Deps, input: Input<typeof teamApi.acceptInvitation>, from: From) {
  const { db, now } = deps
  const { token, fullName, password } = input
  checkNewPassword(password, 'password')
  // Hashing is slow: only for a valid link.
  await readInvitation(deps, token, from.address)
  const passwordHash = await hashPassword(password)
  const userId = await db.transaction().execute(async (tx) => {
    const user = await takePasswordReset(tx, hashOf(token), now())
    // Also refuses the link for a new password of somebody who has joined.
    if (!user?.invitedUntil) throw new Refusal('LINK_EXPIRED')
    await updateUser(tx, user.id, { fullName, passwordHash, invitedUntil: null, language: from.language })
    const what = { subject: 'user' as const, subjectId: user.id, action: 'joined' }
    await logChange(tx, now(), { clubId: user.clubId, userId: user.id, ...what })
    return user.id
  })
  return openSession(deps, userId, from)
}

/** Declines an invitation: its row is deleted, so that the address is free for others. Refuses with LINK_EXPIRED and TOO_MANY_TRIES. */
export async function declineInvitation(deps: Deps, token: string, address: string): Promise<void> {
  const { db, now } = deps
  await readInvitation(deps, token, address)
  const { image } = await db.transaction().execute(async (tx) => {
    const user = await takePasswordReset(tx, hashOf(token), now())
    if (!user?.invitedUntil) throw new Refusal('LINK_EXPIRED')
    await deleteUser(tx, user.id)
    const what = { subject: 'user' as const, subjectId: user.id, action: 'declined' }
    await logChange(tx, now(), { clubId: user.clubId, userId: null, ...what })
    return user
  })
  await removeImages(deps, [{ kind: 'user', file: image }])
}
