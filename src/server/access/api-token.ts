import { tokenPermissionsOf } from '../../contract/api-tokens.ts'
import { batch } from '../db/batch.ts'
import type { Db } from '../db/schema.ts'
import { hashOf } from '../tokens.ts'
import { findTokens, type TokenOfPerson, touchToken } from './queries.ts'

/** What API tokens begin with, so that people and scanners of code recognize them. */
export const TOKEN_PREFIX = 'tnt_'
const pattern = /^tnt_[\w-]{43}$/
const TOUCH_EVERY = 60 * 60_000

/** Whether this can only be an API token: the tokens of sessions are shorter. */
export function isApiToken(token: string): boolean {
  return pattern.test(token)
}

/** Makes the function that finds whoever an API token acts for; null when it is unknown, revoked or has expired. */
export function makeCallerWithToken(db: Db) {
  const find = batch<string, TokenOfPerson | null>(
    async (hashes) => {
      const found = new Map((await findTokens(db, hashes)).map((each) => [each.tokenHash, each]))
      return hashes.map((hash) => found.get(hash) ?? null)
    },
    { most: 256, atOnce: 2 },
  )
  return async (token: string, now: Date) => {
    const found = await find(hashOf(token))
    if (!found || found.expiresAt <= now) return null
    if (now.getTime() - (found.lastUsedAt?.getTime() ?? 0) > TOUCH_EVERY) await touchToken(db, found.tokenId, now)
    return toCaller(found)
  }
}

function toCaller(found: TokenOfPerson) {
  const { tokenHash, tokenId, tokenName, id, fullName, clubId, teamRole, eventIds, hasSecondFactor } = found
  return {
    role: 'admin' as const,
    apiToken: { id: tokenId, name: tokenName },
    // What the person may not do any more, the token may not either.
    permissions: tokenPermissionsOf(teamRole).filter((each) => found.permissions.includes(each)),
    // Whoever has the token has proved nothing about who they are.
    isFresh: false,
    hasPasskey: false,
    mustSetUp: found.needsSecondFactor && !hasSecondFactor,
    mayFinishAtDoor: false,
    pass: null,
    ...{ id, fullName, tokenHash, clubId, teamRole, eventIds, hasSecondFactor },
  }
}
