import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { appUserApi } from '../../contract/users.ts'
import type { Caller } from '../access/caller.ts'
import { hashPassword, isPassword } from '../auth/passwords.ts'
import { deleteSessionsOf } from '../auth/queries.ts'
import { newPassword } from '../auth/tokens.ts'
import { findClub } from '../clubs/queries.ts'
import { logChange } from '../db/changes.ts'
import type { UserRow } from '../db/schema.ts'
import { isConflict } from '../db/violations.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

type UserInput = Input<typeof appUserApi.save>['payload']
type Saved = UserRow & { password?: string }

/** Adds an admin, or edits one. A password made by us is answered with the user, this once. */
export function saveUser(deps: Deps, caller: Caller, input: UserInput): Promise<Saved> {
  return input.id === undefined ? addAdmin(deps, caller, input) : editUser(deps, caller, input.id, input)
}

async function addAdmin({ db, now }: Deps, caller: Caller, input: UserInput): Promise<Saved> {
  const { clubId, fullName, email } = input
  if (caller.role === 'admin' && clubId !== caller.clubId) throw new Refusal('NOT_FOUND')
  if (clubId === null) throw invalid('clubId', 'Choose a club.')
  if (!(await findClub(db, clubId))) throw new Refusal('NOT_FOUND')
  const password = input.password ?? newPassword()
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (tx) => {
    const user = await queries.insertUser(tx, {
      role: 'admin',
      fullName,
      email,
      passwordHash,
      clubId,
      createdAt: now(),
    })
    if (!user) throw emailTaken()
    await logChange(tx, now(), { clubId, userId: caller.id, subject: 'user', subjectId: user.id, action: 'added' })
    return { ...user, ...(input.password === undefined && { password }) }
  })
}

async function editUser({ db, now }: Deps, caller: Caller, id: number, input: UserInput): Promise<Saved> {
  const before = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  const isSelf = id === caller.id
  const mayEdit =
    before && (isSelf || (before.role === 'admin' && (caller.role === 'sudo' || before.clubId === caller.clubId)))
  if (!mayEdit || input.clubId !== before.clubId) throw new Refusal('NOT_FOUND')
  const generated = input.resetPassword ? newPassword() : null
  const password = generated ?? input.password ?? null
  if (password !== null && isSelf && !(await isPassword(input.currentPassword ?? '', before.passwordHash)))
    throw invalid('currentPassword', 'Enter your current password.')
  const passwordHash = password === null ? null : await hashPassword(password)

  return db
    .transaction()
    .execute(async (tx) => {
      await queries.lockUser(tx, id)
      if (await queries.isEmailTaken(tx, input.email, id)) throw emailTaken()
      const { fullName, email } = input
      const user = await queries.updateUser(tx, id, { fullName, email, ...(passwordHash !== null && { passwordHash }) })
      // Whoever knew the old password is out, but for the person who changes it right here.
      if (passwordHash !== null) await deleteSessionsOf(tx, id, isSelf ? caller.tokenHash : null)
      const action = passwordHash === null ? 'edited' : 'password changed'
      await logChange(tx, now(), { clubId: user.clubId, userId: caller.id, subject: 'user', subjectId: id, action })
      return { ...user, ...(generated !== null && { password: generated }) }
    })
    .catch((error: unknown) => {
      // Two edits at the same moment can both find the address free; the unique index lets one pass.
      throw isConflict(error, 'users_email_key') ? emailTaken() : error
    })
}

function emailTaken(): Refusal {
  const msg = 'Somebody already signs in with this e-mail address.'
  return new Refusal('EMAIL_TAKEN', { fields: [{ path: 'payload.email', msg }] })
}

function invalid(field: string, msg: string): Refusal {
  return new Refusal('INVALID_INPUT', { fields: [{ path: `payload.${field}`, msg }] })
}
