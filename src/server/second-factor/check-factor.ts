import type * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import type { ownFactors } from '../../contract/sign-in.ts'
import * as texts from '../../texts/generated/api.ts'
import { logChange } from '../db/changes.ts'
import type { UserRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { forgive, limitTries, type Try } from '../limits/limit-tries.ts'
import { hashOfRecoveryCode, isAppCode, plainCode, stepOf } from './codes.ts'
import * as queries from './queries.ts'

type Person = Pick<UserRow, 'id' | 'clubId'>

/**
 * Proves the second factor of somebody whose password was right; false when they have none. Refuses with SECOND_FACTOR_NEEDED, which says what they have, when no code
 * came, and with INVALID_INPUT at `code` and TOO_MANY_TRIES.
 */
export async function checkSecondFactor(deps: Deps, person: Person, code: string | undefined): Promise<boolean> {
  if (!(await queries.hasSecondFactor(deps.db, person.id))) return false
  if (code === undefined || plainCode(code) === '') {
    const payload: z.output<typeof ownFactors> = await queries.findFactors(deps.db, person.id)
    throw new Refusal('SECOND_FACTOR_NEEDED', { payload })
  }
  await checkCode(deps, person, code)
  return true
}

/** How somebody's codes are counted. */
export function codeTries(userId: number): Try[] {
  return [{ rule: 'second factor codes of a person', of: String(userId) }]
}

/** Uses up a code of the app or a recovery code. Refuses with INVALID_INPUT at `code`, and with TOO_MANY_TRIES. */
export async function checkCode(deps: Deps, person: Person, typed: string): Promise<void> {
  const code = plainCode(typed)
  if (!isAppCode(code)) {
    // Too long to be guessed, so they work also while somebody else's wrong codes have used up the limit.
    if (!(await spendRecoveryCode(deps, person, code))) throw wrongCode()
    return
  }
  const tries = codeTries(person.id)
  await limitTries(deps, tries)
  if (!(await takeAppCode(deps, person, code))) throw wrongCode()
  await forgive(deps.db, tries)
}

/** A wrong code, or one that was used. */
export function wrongCode(): Refusal {
  return new Refusal('INVALID_INPUT', { fields: [{ path: 'code', msg: texts.wrongCode }] })
}

async function takeAppCode({ db, now }: Deps, { id }: Person, code: string): Promise<boolean> {
  const app = await queries.findApp(db, id)
  if (!app?.confirmedAt) return false
  const step = stepOf(app.secret, code, now())
  return step !== null && queries.takeStep(db, id, { secret: app.secret, step })
}

function spendRecoveryCode({ db, now }: Deps, { id, clubId }: Person, code: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await queries.takeRecoveryCode(tx, id, hashOfRecoveryCode(code)))) return false
    const what = { subject: 'user' as const, subjectId: id, action: 'recovery code used' }
    await logChange(tx, now(), { clubId, userId: id, ...what })
    return true
  })
}
