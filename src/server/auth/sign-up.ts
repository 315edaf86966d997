import type { authApi } from '../../contract/auth.ts'
import { newClub } from '../../contract/clubs.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import * as refusalTexts from '../../texts/generated/refusals.ts'
import type { Language } from '../../texts/language.ts'
import { checkCurrency } from '../clubs/check-currency.ts'
import { checkTimeZone } from '../clubs/check-time-zone.ts'
import { insertClub } from '../clubs/queries.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, limitTries } from '../limits/limit-tries.ts'
import { insertUser } from '../records/user-queries.ts'
import { checkNewPassword } from './common-passwords.ts'
import { hashPassword } from './passwords.ts'
import { type OpenedFrom, openSession } from './sign-in.ts'

/** Adds a club with its first admin, both or neither, and signs the admin in. Refuses with SIGNUP_CLOSED, EMAIL_TAKEN. */
export async function signUp(
  deps: Deps,
  input: Input<typeof authApi.register>,
  from: OpenedFrom & { language: Language },
) {
  const { db, now, settings } = deps
  if (!settings.signUp) throw new Refusal('SIGNUP_CLOSED')
  checkNewPassword(input.password, 'password')
  checkCurrency(input.currency)
  await checkTimeZone(db, input.timeZone)
  await limitTries(deps, byNetwork('sign-up by network', from.address))
  const passwordHash = await hashPassword(input.password)
  const { language } = from
  const createdAt = now()
  const userId = await db.transaction().execute(async (tx) => {
    const { id: clubId } = await insertClub(tx, {
      ...newClub,
      descriptions: '[]',
      name: input.clubName ?? input.fullName,
      location: input.clubLocation ?? '',
      timeZone: input.timeZone ?? newClub.timeZone,
      currency: input.currency ?? newClub.currency,
      language,
      createdAt,
    })
    const { fullName, email } = input
    const user = await insertUser(tx, {
      role: 'admin',
      fullName,
      email,
      passwordHash,
      clubId,
      language,
      createdAt,
      teamRole: 'owner',
    })
    if (!user) {
      const msg = refusalTexts.emailTaken
      throw new Refusal('EMAIL_TAKEN', { fields: [{ path: 'email', msg }] })
    }
    await logChange(tx, createdAt, { clubId, userId: user.id, subject: 'club', subjectId: clubId, action: 'signed up' })
    return user.id
  })
  return openSession(deps, userId, from)
}
