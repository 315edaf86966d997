import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { lockSelf } from '../auth/lock-self.ts'
import type { Deps } from '../deps.ts'
import { limitTries } from '../limits/limit-tries.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { findUser } from '../records/user-queries.ts'
import { wrongCode } from '../second-factor/check-factor.ts'
import { appUrl, isAppCode, newSecret, plainCode, stepOf } from '../second-factor/codes.ts'
import * as queries from '../second-factor/queries.ts'
import { replaceRecoveryCodes } from '../second-factor/recovery-codes.ts'
import { removeCodeApp } from '../second-factor/remove-factor.ts'
import { logOwn, startSecondFactor } from './own-factor.ts'

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
 * Finishes it with the first code; returns the recovery codes if it is the first factor, otherwise null. Refuses with INVALID_INPUT, EDIT_CONFLICT,
 * SIGN_IN_NEEDED and TOO_MANY_TRIES.
 */
export async function finishApp(deps: Deps, caller: Caller, typed: string): Promise<string[] | null> {
  const { db, now } = deps
  await limitTries(deps, [{ rule: 'own password', of: String(caller.id) }])
  const code = plainCode(typed)
  return db.transaction().execute(async (tx) => {
    await lockSelf(tx, caller)
    const isFirst = !(await queries.hasSecondFactor(tx, caller.id))
    const app = await queries.findApp(tx, caller.id)
    const step = app && isAppCode(code) ? stepOf(app.secret, code, now()) : null
    if (!app || step === null) throw wrongCode()
    if (!(await queries.finishApp(tx, app, now()))) throw new Refusal('EDIT_CONFLICT')
    await queries.takeStep(tx, caller.id, { secret: app.secret, step })
    await queueFactorMail(tx, caller.id, isFirst ? 'second factor on' : 'code app added', now())
    if (isFirst) return startSecondFactor(tx, now(), caller)
    await logOwn(tx, now(), caller, 'code app added')
    return null
  })
}

/** Removes the caller's own app, if there is one; returns whether their second factor is still on, by a passkey. Refuses with SIGN_IN_NEEDED. */
export async function removeApp({ db, now }: Deps, caller: Caller): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockSelf(tx, caller)
    const hadApp = await removeCodeApp(tx, caller.id)
    const isOn = await queries.hasSecondFactor(tx, caller.id)
    if (!hadApp) return isOn
    const action = isOn ? 'code app removed' : 'second factor off'
    await queueFactorMail(tx, caller.id, action, now())
    await logOwn(tx, now(), caller, action)
    return isOn
  })
}

/** Ten new recovery codes; none for somebody without a second factor. Refuses with SIGN_IN_NEEDED and TOO_MANY_TRIES. */
export async function makeRecoveryCodes(deps: Deps, caller: Caller): Promise<string[]> {
  const { db, now } = deps
  await limitTries(deps, [{ rule: 'recovery codes made by a person', of: String(caller.id) }])
  return db.transaction().execute(async (tx) => {
    await lockSelf(tx, caller)
    if (!(await queries.hasSecondFactor(tx, caller.id))) return []
    await queueFactorMail(tx, caller.id, 'recovery codes made', now())
    await logOwn(tx, now(), caller, 'recovery codes made')
    return replaceRecoveryCodes(tx, caller.id)
  })
}
