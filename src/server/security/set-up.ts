import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { deleteSessionsOf, deleteTokensOf } from '../auth/queries.ts'
import { logChange } from '../db/changes.ts'
import type { Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { limitTries } from '../limits/limit-tries.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { findUser, lockUser } from '../records/user-queries.ts'
import { wrongCode } from '../second-factor/check-factor.ts'
import { appUrl, isAppCode, newSecret, plainCode, stepOf } from '../second-factor/codes.ts'
import * as queries from '../second-factor/queries.ts'
import { replaceRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { removeCodeApp } from '../second-factor/remove-factor.ts'

/** Begins to set up an app with codes, which does not count yet. Refuses with EDIT_CONFLICT when one is set up. */
export async function startApp({ db, settings }: Deps, caller: Caller): Promise<{ secret: string; url: string }> {
  const user = await findUser(db, caller.id)
  if (!user) throw new Refusal('NOT_FOUND')
  const secret = newSecret()
  if (!(await queries.saveSecret(db, user.id, secret))) throw new Refusal('EDIT_CONFLICT')
  const issuer = `Turnout ${new URL(settings.baseUrl).host}`
  return { secret, url: appUrl({ issuer, label: user.email, secret }) }
}

/**
 * Finishes it with the first code; returns the recovery codes. Other sessions and API tokens end: they were made without it. Refuses with INVALID_INPUT,
 * EDIT_CONFLICT and TOO_MANY_TRIES.
 */
export async function finishApp(deps: Deps, caller: Caller, typed: string): Promise<string[]> {
  const { db, now } = deps
  await limitTries(deps, [{ rule: 'own password', of: String(caller.id) }])
  const code = plainCode(typed)
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.id)
    const app = await queries.findApp(tx, caller.id)
    const step = app && isAppCode(code) ? stepOf(app.secret, code, now()) : null
    if (!app || step === null) throw wrongCode()
    if (!(await queries.finishApp(tx, app, now()))) throw new Refusal('EDIT_CONFLICT')
    await queries.takeStep(tx, caller.id, { secret: app.secret, step })
    await deleteSessionsOf(tx, caller.id, caller.tokenHash)
    await deleteTokensOf(tx, caller.id)
    await queries.markProved(tx, caller.tokenHash)
    await queueFactorMail(tx, caller.id, 'second factor on', now())
    await logOwn(tx, now(), caller, 'second factor on')
    return replaceRecoveryCodes(tx, caller.id)
  })
}

/** Removes the caller's own app; nothing happens without one. */
export async function removeApp({ db, now }: Deps, caller: Caller): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.id)
    if (!(await removeCodeApp(tx, caller.id))) return
    // With a passkey left, it is still on.
    const action = (await queries.hasSecondFactor(tx, caller.id)) ? 'code app removed' : 'second factor off'
    await queueFactorMail(tx, caller.id, action, now())
    await logOwn(tx, now(), caller, action)
  })
}

/** Ten new recovery codes; none for somebody without an app. Refuses with TOO_MANY_TRIES. */
export async function makeRecoveryCodes(deps: Deps, caller: Caller): Promise<string[]> {
  const { db, now } = deps
  await limitTries(deps, [{ rule: 'recovery codes made by a person', of: String(caller.id) }])
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, caller.id)
    if (!(await queries.hasSecondFactor(tx, caller.id))) return []
    await queueFactorMail(tx, caller.id, 'recovery codes made', now())
    await logOwn(tx, now(), caller, 'recovery codes made')
    return replaceRecoveryCodes(tx, caller.id)
  })
}

/** Logs what somebody did with their own second factor. */
export function logOwn(tx: Tx, now: Date, { id, clubId }: Caller, action: string): Promise<void> {
  return logChange(tx, now, { clubId, userId: id, subject: 'user', subjectId: id, action })
}
