import { Refusal } from '../../contract/errors.ts'
import type { Db, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { hashOf } from '../tokens.ts'
import { networksOf } from './networks.ts'
import { countTries, deleteTries, forgetTries } from './queries.ts'
import { type RuleName, ruleOf } from './rules.ts'

/** One try that a rule counts. */
export interface Try {
  rule: RuleName
  /** The subject of the try, such as an account; only its hash is stored. */
  of: string
  isWide?: boolean
  /** How many it counts for; 1 if left out. */
  times?: number
}

/** Where a call came from. */
export interface Origin {
  /** The signed-in user. */
  caller: { id: number } | null
  address: string
}

/** A try by each network of this address; with `and`, counted separately for each value of it. */
export function byNetwork(rule: RuleName, address: string, and = ''): Try[] {
  return networksOf(address).map(({ name, isWide }) => ({ rule, of: and === '' ? name : `${and} ${name}`, isWide }))
}

/** A try by the signed-in user, else by the network. Staff may share a network with their visitors. */
export function byOrigin(rule: RuleName, { caller, address }: Origin): Try[] {
  return caller ? [{ rule, of: `user ${caller.id}`, isWide: true }] : byNetwork(rule, address)
}

/**
 * Counts a try under each rule, in the database so that it holds over many servers. Called before the work, so that tries made
 * at the same moment count too. Refuses with TOO_MANY_TRIES and the seconds until the next.
 */
export async function limitTries({ db, now, settings }: Limiting, tries: readonly Try[]): Promise<void> {
  await enforce(
    db,
    now(),
    tries.filter(({ rule }) => settings.limits || ruleOf(rule).isAlwaysOn),
  )
}

/** The dependencies of limiting. */
export type Limiting = Pick<Deps, 'db' | 'now' | 'settings'>

/** The same regardless of the settings, also within a transaction. */
export async function enforce(db: Db | Tx, now: Date, tries: readonly Try[]): Promise<void> {
  const over = (await count(db, now, tries)).find(({ excess }) => excess > 0)
  if (over) throw tooMany(over)
}

export interface Counted {
  rule: RuleName
  /** How many tries there were beyond what is allowed; 0 or less for none. */
  excess: number
  /** Seconds until the window ends. */
  retryAfter: number
}

/** Counts a try under each rule and returns the resulting counts, in the same order. */
export async function count(db: Db | Tx, now: Date, tries: readonly Try[]): Promise<Counted[]> {
  if (tries.length === 0) return []
  const counts = await countTries(
    db,
    tries.map((each) => ({
      key: keyOf(each),
      endsAt: new Date(now.getTime() + ruleOf(each.rule).windowMs),
      count: each.times ?? 1,
    })),
    now,
  )
  return tries.map((each) => {
    const { most, wide = most } = ruleOf(each.rule)
    const counted = counts.get(keyOf(each))
    const endsAt = counted?.endsAt ?? now
    return {
      rule: each.rule,
      excess: (counted?.count ?? 0) - (each.isWide ? wide : most),
      retryAfter: Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000)),
    }
  })
}

/** Takes back tries that succeeded. */
export async function forgive(db: Db, tries: readonly Try[]): Promise<void> {
  await forgetTries(db, tries.map(keyOf))
}

/** Forgets all tries of this window. */
export async function forgetAll(db: Db | Tx, tries: readonly Try[]): Promise<void> {
  await deleteTries(db, tries.map(keyOf))
}

export function tooMany({ rule, retryAfter }: Pick<Counted, 'rule' | 'retryAfter'>): Refusal {
  const { msg } = ruleOf(rule)
  return new Refusal('TOO_MANY_TRIES', { retryAfter, ...(msg !== undefined && { msg }) })
}

function keyOf({ rule, of }: Try): string {
  return `${rule}:${hashOf(of)}`
}
