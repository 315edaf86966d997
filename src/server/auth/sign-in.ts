import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { hashToken, newToken } from './tokens.ts'

const WINDOW_MINUTES = 15
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
export async function signIn({ db, now }: Deps, { email, password }: Credentials, address: string) {
  const user = await queries.findUserByEmail(db, email)
  const addressHash = hashToken(address)
  const isKnown = user !== undefined && (await queries.isKnownPlace(db, user.id, addressHash))
  const account = hashToken(email.toLowerCase())
  const keys = { email: `email:${account}${isKnown ? `:${addressHash}` : ''}`, address: `address:${addressHash}` }
  await countTry(db, keys, now())

  if (!(await isPassword(password, user?.passwordHash ?? null)) || !user) throw new Refusal('WRONG_CREDENTIALS')

  await queries.forgetTries(db, Object.values(keys))
  await queries.rememberPlace(db, user.id, addressHash, now())
  const token = newToken()
  await queries.insertSession(db, hashToken(token), user.id, now())
  return { token, currentUser: await queries.findCurrentUser(db, user.id) }
}

/** Counted before the password is looked at, so that tries made at the same moment count too. */
async function countTry(db: Db, keys: { email: string; address: string }, now: Date): Promise<void> {
  const window = WINDOW_MINUTES * 60_000
  const tries = await queries.countTries(db, Object.values(keys), now, new Date(now.getTime() - window))
  const over = [
    { most: MOST_BY_EMAIL, tried: tries.get(keys.email) },
    { most: MOST_BY_ADDRESS, tried: tries.get(keys.address) },
  ].find(({ most, tried }) => tried !== undefined && tried.count > most)
  if (!over?.tried) return
  const retryAfter = Math.ceil((over.tried.windowStart.getTime() + window - now.getTime()) / 1000)
  throw new Refusal('TOO_MANY_TRIES', { retryAfter: Math.max(1, retryAfter) })
}
