import * as z from 'zod/mini'
import * as texts from '../texts/generated/tokenInput.ts'
import { api } from './endpoint.ts'
import { type Permission, permissions, permissionsOf, type TeamRole } from './permissions.ts'
import { id, moment, requiredLine } from './values/fields.ts'

/** For how many days a token can be valid. */
export const tokenDays = [30, 90, 365] as const

/** How many valid tokens somebody has at most. */
export const MOST_TOKENS = 20

type TokenPermission = Exclude<Permission, 'team'>

/** What a token can allow: nothing about the team. */
export const tokenPermissions: readonly TokenPermission[] = permissions.filter((each) => each !== 'team')

/** What the tokens of somebody with this role can allow; nothing for the operator and for door helpers, who have no tokens. */
export function tokenPermissionsOf(role: TeamRole | null): TokenPermission[] {
  const own = role === 'door' ? [] : permissionsOf(role)
  return tokenPermissions.filter((each) => own.includes(each))
}

const permission = z.enum(tokenPermissions)

const apiToken = z.object({
  id,
  name: z.string(),
  /** Its first characters, by which one recognizes it. */
  start: z.string(),
  /** What it allows now: what was chosen for it, as far as one's role still allows it. */
  permissions: z.array(permission),
  createdAt: moment,
  expiresAt: moment,
  /** When it was used last, to the hour; null: not yet. */
  lastUsedAt: z.nullable(moment),
})
export type ApiToken = z.output<typeof apiToken>

/** What somebody chooses for a new token. */
export const tokenFields = z.strictObject({
  name: requiredLine(60, texts.nameNeeded),
  permissions: z
    .array(permission)
    .check(z.minLength(1, { error: texts.permissionNeeded }), z.maxLength(tokenPermissions.length)),
  /** For how many days it is valid. */
  days: z.literal(tokenDays),
})

export const apiTokenApi = api({
  getTokens: {
    method: 'GET',
    path: '/api/token/getTokens',
    access: { who: 'self' },
    summary: 'One’s own API tokens, the latest first, and what new ones can allow.',
    input: z.strictObject({}),
    payload: z.object({
      tokens: z.array(apiToken),
      /** What one’s role lets a token do; empty for those who have no tokens: door helpers and the operator. */
      permissions: z.array(permission),
    }),
  },
  makeToken: {
    method: 'POST',
    path: '/api/token/makeToken',
    access: { who: 'self', fresh: true },
    refuses: ['NOT_ALLOWED', 'TOO_MANY_TOKENS', 'SET_UP_SECOND_FACTOR'],
    summary: `Make an API token, which is answered this once. Somebody has at most ${MOST_TOKENS} that are valid.`,
    input: z.strictObject({ payload: tokenFields }),
    payload: z.object({ apiToken, token: z.string() }),
  },
  revokeToken: {
    method: 'POST',
    path: '/api/token/revokeToken',
    access: { who: 'self' },
    refuses: ['NOT_FOUND'],
    summary: 'End one of one’s own API tokens at once.',
    input: z.strictObject({ payload: z.strictObject({ id }) }),
    payload: z.null(),
  },
})
