import { Refusal } from '../../contract/errors.ts'
import type { Deps } from '../deps.ts'
import { limitTries } from './limit-tries.ts'
import { isPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { hashToken, newToken } from './tokens.ts'

/** Wrong tries in a window: for one e-mail from anywhere, and from one address for any e-mail. */
const MOST_BY_EMAIL = 10
const MOST_BY_ADDRESS = 100

interface Credentials {
  email: string
  password: string
}

/**
 * Signs in and opens a session. Unknown e-mail and wrong password are the same refusal after the same time.
 * Refuses with TOO_MANY_TRIES; an address from which this account has signed in before has a count of its own, so that
 * strangers who guess cannot lock a club out on its night.
 */
export async function signIn(deps: Deps, { email, password }: Credentials, address: string) {
  const { db, now } = deps
  const user = await queries.findUserByEmail(db, email)
  const addressHash = hashToken(address)
  const isKnown = user !== undefined && (await queries.isKnownPlace(db, user.id, addressHash))
  const account = hashToken(email.toLowerCase())
  const keys = { email: `email:${account}${isKnown ? `:${addressHash}` : ''}`, address: `address:${addressHash}` }
  await limitTries(db, now(), [
    { key: keys.email, most: MOST_BY_EMAIL },
    { key: keys.address, most: MOST_BY_ADDRESS },
  ])

  if (!(await isPassword(password, user?.passwordHash ?? null)) || !user) throw new Refusal('WRONG_CREDENTIALS')

  await queries.forgetTries(db, Object.values(keys))
  await queries.rememberPlace(db, user.id, addressHash, now())
  return openSession(deps, user.id)
}

/** The token of a new session, with who is signed in by it. */
export async function openSession({ db, now }: Deps, userId: number) {
  const token = newToken()
  await queries.insertSession(db, hashToken(token), userId, now())
  return { token, currentUser: await queries.findCurrentUser(db, userId) }
}
