import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { passApi } from '../../contract/passes.ts'
import * as texts from '../../texts/generated/passes.ts'
import { toOpenPass } from '../access/pass.ts'
import { type OpenedFrom, openSession } from '../auth/sign-in.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { hashOf } from '../tokens.ts'
import * as queries from './queries.ts'

/** What a link is for. Refuses with LINK_EXPIRED, also for a pass that has ended, and TOO_MANY_TRIES. */
export async function readPass(deps: Deps, token: string, address: string) {
  await limitTries(deps, byNetwork('pass link by network', address))
  const found = await queries.findPass(deps.db, hashOf(token))
  const pass = found && toOpenPass(found, deps.now())
  if (!pass || pass.hasEnded) throw new Refusal('LINK_EXPIRED', { msg: texts.passEnded })
  const { passMay: _, passRevokedAt: __, eventEndsAt: ___, ...shown } = found
  return { ...shown, may: [...pass.abilities] }
}

/**
 * Opens a pass on a phone; the same phone may open it again, for example because the answer was lost. Refuses with LINK_EXPIRED,
 * TOO_MANY_TRIES, and NOT_ALLOWED when as many other phones as it allows have it open.
 */
export async function openPass(deps: Deps, { token, phone }: Input<typeof passApi.openPass>, from: OpenedFrom) {
  const { db, now } = deps
  const { id, eventId } = await readPass(deps, token, from.address)
  const phoneHash = hashOf(phone)
  return db.transaction().execute(async (tx) => {
    const user = await queries.lockPass(tx, eventId, { id })
    // Renewed or revoked at this moment.
    if (user?.passHash !== hashOf(token) || user.passRevokedAt !== null)
      throw new Refusal('LINK_EXPIRED', { msg: texts.passEnded })
    const others = await queries.countOtherPhones(tx, id, phoneHash, now())
    if (others >= (user.passPhones ?? 0)) throw new Refusal('NOT_ALLOWED', { msg: texts.openElsewhere })
    await queries.endPhone(tx, id, phoneHash)
    const opened = await openSession({ ...deps, db: tx }, id, { ...from, phoneHash })
    return { ...opened, eventId }
  })
}
