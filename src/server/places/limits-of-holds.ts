import { Refusal } from '../../contract/errors.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { networksOf } from '../limits/networks.ts'
import { countHolds, insertHolds, lockKeys } from '../limits/queries.ts'
import { MOST_HOLDS } from '../limits/rules.ts'
import { hashOf } from '../tokens.ts'

/** When another try makes sense, in seconds: holds end at any time. */
const RETRY_SECONDS = 60

/** A seat about to be held until it is paid. */
interface Holding {
  email: string
  /** The network address; null when no limits apply. */
  address: string | null
  holdExpiresAt: Date | null
  /** For how many people. */
  people: number
}

/**
 * Finds the requests of those e-mail addresses and networks that hold as many unpaid seats as they may: each gets TOO_MANY_HOLDS. An
 * order is let through whatever its size, and then counts with all of its people. To be called after locking the events; until the
 * transaction ends, no other one decides about the same people and networks.
 */
export async function findTooManyHolds<T extends Holding>(
  tx: Tx,
  requests: readonly T[],
  now: Date,
): Promise<Map<T, Refusal>> {
  const refused = new Map<T, Refusal>()
  const limited = requests
    .filter(({ holdExpiresAt }) => holdExpiresAt !== null)
    .map((each) => [each, keysOf(each)] as const)
  const hashes = [...new Set(limited.flatMap(([, keys]) => keys.map(({ hash }) => hash)))]
  if (hashes.length === 0) return refused
  await lockKeys(tx, hashes)
  const counts = await countHolds(tx, hashes, now)
  for (const [request, keys] of limited) {
    const isOver = keys.some(({ hash, most }) => (counts.get(hash) ?? 0) >= most)
    if (isOver) refused.set(request, new Refusal('TOO_MANY_HOLDS', { retryAfter: RETRY_SECONDS }))
    else for (const { hash } of keys) counts.set(hash, (counts.get(hash) ?? 0) + request.people)
  }
  return refused
}

/** Stores who holds these seats, where limits apply: whoever makes an order, with their `email`, holds all of its seats. */
export async function storeHolds(
  tx: Tx,
  saved: readonly { row: Pick<RegistrationRow, 'id' | 'holdExpiresAt'>; email: string; address: string | null }[],
): Promise<void> {
  await insertHolds(
    tx,
    saved.flatMap(({ row: { id, holdExpiresAt }, email, address }) => {
      if (address === null || holdExpiresAt === null) return []
      const [emailHash, networkHash, wideNetworkHash] = keysOf({ email, address }).map(({ hash }) => hash)
      if (emailHash === undefined) return []
      return [
        {
          registrationId: id,
          emailHash,
          networkHash: networkHash ?? null,
          wideNetworkHash: wideNetworkHash ?? null,
          expiresAt: holdExpiresAt,
        },
      ]
    }),
  )
}

/** The keys by which holds are counted, the e-mail address first; none when no limits apply. */
function keysOf({ email, address }: Pick<Holding, 'email' | 'address'>): { hash: string; most: number }[] {
  if (address === null) return []
  const networks = networksOf(address).map(({ name, isWide }) => ({
    hash: hashOf(`network ${name}`),
    most: isWide ? MOST_HOLDS.wideNetwork : MOST_HOLDS.network,
  }))
  return [{ hash: hashOf(`e-mail ${email.toLowerCase()}`), most: MOST_HOLDS.email }, ...networks]
}
