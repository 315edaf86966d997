import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { logChange } from '../db/changes.ts'
import { differences } from '../db/differences.ts'
import type { Tx } from '../db/schema.ts'
import { isConflict } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { queueNewAddressMail, queueOldAddressMail } from '../mail/queries.ts'
import { freeExpired, isEmailTaken, lockUser, updateUser } from '../records/user-queries.ts'
import { hashOf } from '../tokens.ts'
import { findUserOfAddressToken, saveNewAddress, takeNewAddress } from './address-queries.ts'
import { deletePasswordResets, deleteSessionsOf } from './queries.ts'

/** How long a mail may take; the link is valid for a day from then on. */
const MAIL_MS = 48 * 60 * 60_000

/** Stores that whoever has this session wants to sign in with another address, and queues the mail with the link that confirms it. */
export async function wantNewAddress(
  tx: Tx,
  { id: userId, tokenHash: askedBy }: Pick<Caller, 'id' | 'tokenHash'>,
  email: string,
  now: Date,
): Promise<void> {
  await saveNewAddress(tx, { userId, email, askedBy }, new Date(now.getTime() + MAIL_MS))
  await queueNewAddressMail(tx, userId, email, now)
}

/**
 * Makes a new address count by a link that was mailed to it, once. The former one is told, links for a new password that were sent to it stop
 * working, and all sessions but the one that asked end. Refuses with LINK_EXPIRED and EMAIL_TAKEN.
 */
export async function confirmAddress(deps: Deps, token: string, address: string): Promise<void> {
  const { db, now } = deps
  await limitTries(deps, byNetwork('reset link by network', address))
  try {
    await db.transaction().execute(async (tx) => {
      const tokenHash = hashOf(token)
      const at = now()
      // Locked first, as by those who edit or remove the user.
      const userId = await findUserOfAddressToken(tx, tokenHash, at)
      const user = userId === null ? null : await lockUser(tx, userId)
      const wanted = user && (await takeNewAddress(tx, tokenHash, at))
      if (!wanted) throw new Refusal('LINK_EXPIRED')
      const { email, askedBy } = wanted
      await freeExpired(tx, email, at)
      if (await isEmailTaken(tx, email, user.id, at)) throw new Refusal('EMAIL_TAKEN')
      const { after } = differences(user, await updateUser(tx, user.id, { email }), { shown: [], named: ['email'] })
      await queueOldAddressMail(tx, user.id, user.email, at)
      await deletePasswordResets(tx, user.id)
      await deleteSessionsOf(tx, user.id, askedBy)
      await logChange(tx, at, {
        clubId: user.clubId,
        userId: user.id,
        subject: 'user',
        subjectId: user.id,
        action: 'edited',
        after,
      })
    })
  } catch (error) {
    // Somebody else got it at the same moment.
    throw isConflict(error, 'users_email_key') ? new Refusal('EMAIL_TAKEN') : error
  }
}
