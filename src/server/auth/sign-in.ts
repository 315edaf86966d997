import { Refusal } from '../../contract/errors.ts'
import type { Tx, UserRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { byNetwork, forgive, limitTries } from '../limits/limit-tries.ts'
import { networksOf } from '../limits/networks.ts'
import { lockUser } from '../records/user-queries.ts'
import { checkSecondFactor } from '../second-factor/check-factor.ts'
import { hasSecondFactor } from '../second-factor/queries.ts'
import { hashOf, newToken } from '../tokens.ts'
import { deviceOf } from './device-of.ts'
import { isPassword } from './passwords.ts'
import * as queries from './queries.ts'

interface Credentials {
  email: string
  password: string
  code?: string | undefined
}

/**
 * Signs in and opens a session. Unknown e-mail and wrong password are the same refusal after the same time.
 * Whoever has a second factor is asked for its code with SECOND_FACTOR_NEEDED, and only after the right password. Refuses with TOO_MANY_TRIES; an address from which this account has signed in before has a count of its own, so that
 * strangers who guess passwords cannot lock a club out on the night of its event.
 */
export async function signIn(deps: Deps, { email, password, code }: Credentials, from: OpenedFrom) {
  const { db, now } = deps
  const { address } = from
  const user = await queries.findUserByEmail(db, email)
  const addressHash = placeOf(address)
  const isKnown = user !== undefined && (await queries.isKnownPlace(db, user.id, addressHash))
  const account = email.toLowerCase()
  const tries = [
    { rule: 'sign-in to an account' as const, of: isKnown ? `${account} ${addressHash}` : account },
    ...byNetwork('sign-in by network', address),
  ]
  await limitTries(deps, tries)

  if (!(await isPassword(password, user?.passwordHash ?? null)) || !user) throw new Refusal('WRONG_CREDENTIALS')

  const isProven = await checkSecondFactor(deps, user, code)
  await forgive(db, tries)
  // The step that asked for the code was counted too: else somebody who knows the password could try codes for ever.
  // Only for the account: the network's count would fall below what others there have tried.
  if (isProven) await forgive(db, tries.slice(0, 1))
  return db.transaction().execute(async (tx) => {
    await checkUnchanged(tx, user, isProven)
    await queries.rememberPlace(tx, user.id, addressHash, now())
    return openSession({ ...deps, db: tx }, user.id, { ...from, provedFactor: isProven })
  })
}

/**
 * Refuses when the password or the second factor was changed while the ones before were checked. Whoever changes them locks the user and ends
 * the sessions, and this one may not be there yet.
 */
async function checkUnchanged(tx: Tx, { id, passwordHash }: UserRow, isProven: boolean): Promise<void> {
  if ((await lockUser(tx, id))?.passwordHash !== passwordHash) throw new Refusal('WRONG_CREDENTIALS')
  if (!isProven && (await hasSecondFactor(tx, id))) throw new Refusal('SECOND_FACTOR_NEEDED')
}

/** How the network that somebody signs in from is stored: with IPv6 they use many addresses of it. */
export function placeOf(address: string): string {
  return hashOf(networksOf(address)[0]?.name ?? address)
}

/** Where a session is opened: the network address, and the header that names the browser. */
export interface OpenedFrom {
  address: string
  userAgent: string
  /** Hash of the secret by which a phone opens its helper pass again. */
  phoneHash?: string
  /** Whether the second factor was proved. */
  provedFactor?: boolean
}

/** Opens a session; returns its token and the signed-in user. */
export async function openSession({ db, now }: Pick<Deps, 'db' | 'now'>, userId: number, from: OpenedFrom) {
  const { address, userAgent, phoneHash, provedFactor = false } = from
  const token = newToken()
  const opened = {
    userId,
    address,
    provedFactor,
    ...deviceOf(userAgent),
    ...(phoneHash !== undefined && { phoneHash }),
  }
  await queries.insertSession(db, { tokenHash: hashOf(token), ...opened }, now())
  return { token, currentUser: await queries.findCurrentUser(db, userId, now()) }
}
