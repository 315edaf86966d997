import type * as z from 'zod/mini'
import { type ApiToken, MOST_TOKENS, type tokenFields, tokenPermissionsOf } from '../../contract/api-tokens.ts'
import { Refusal } from '../../contract/errors.ts'
import type { TeamRole } from '../../contract/permissions.ts'
import * as texts from '../../texts/generated/api.ts'
import { TOKEN_PREFIX } from '../access/api-token.ts'
import type { Caller } from '../access/caller.ts'
import { lockSelf } from '../auth/lock-self.ts'
import { logChange } from '../db/changes.ts'
import type { ApiTokenRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { hashOf, newToken } from '../tokens.ts'
import * as queries from './queries.ts'

const DAY = 24 * 60 * 60_000
/** How many characters of the random part are shown in the list. */
const SHOWN = 8

const roleOf = (caller: Caller): TeamRole | null => (caller.role === 'admin' ? caller.teamRole : null)

/** One's own tokens, and what new ones can allow. */
export async function ownTokens({ db }: Deps, caller: Caller) {
  const role = roleOf(caller)
  const rows = await queries.listTokens(db, caller.id)
  return { tokens: rows.map((row) => toApiToken(row, role)), permissions: tokenPermissionsOf(role) }
}

function toApiToken(row: ApiTokenRow, role: TeamRole | null): ApiToken {
  const { id, name, start, createdAt, expiresAt, lastUsedAt } = row
  const permissions = tokenPermissionsOf(role).filter((each) => row.permissions.includes(each))
  return { id, name, start, permissions, createdAt, expiresAt, lastUsedAt }
}

/**
 * Makes a token, which is told to the person by mail. Refuses with NOT_ALLOWED what the person's own role does not allow, with
 * TOO_MANY_TOKENS, and with SET_UP_SECOND_FACTOR.
 */
export async function makeToken({ db, now }: Deps, caller: Caller, fields: z.output<typeof tokenFields>) {
  if (caller.mustSetUp) throw new Refusal('SET_UP_SECOND_FACTOR')
  const token = TOKEN_PREFIX + newToken()
  const at = now()
  const row = await db.transaction().execute(async (tx) => {
    // Those who make several at once wait for each other here, so that they are counted.
    const user = await lockSelf(tx, caller)
    const allowed = tokenPermissionsOf(user.teamRole)
    if (allowed.length === 0) throw new Refusal('NOT_ALLOWED', { msg: texts.roleWithoutTokens })
    if (!fields.permissions.every((each) => allowed.includes(each)))
      throw new Refusal('NOT_ALLOWED', { msg: texts.tokenBeyondRole })
    if ((await queries.countValidTokens(tx, user.id, at)) >= MOST_TOKENS) throw new Refusal('TOO_MANY_TOKENS')
    const { name, days } = fields
    const what = { subject: 'user', subjectId: user.id, action: 'API token made', after: { name } } as const
    await logChange(tx, at, { clubId: user.clubId, userId: user.id, ...what })
    await queueFactorMail(tx, user.id, 'API token made', at)
    return queries.insertToken(tx, {
      userId: user.id,
      name,
      tokenHash: hashOf(token),
      start: token.slice(0, TOKEN_PREFIX.length + SHOWN),
      permissions: [...new Set(fields.permissions)],
      createdAt: at,
      expiresAt: new Date(at.getTime() + days * DAY),
    })
  })
  return { apiToken: toApiToken(row, roleOf(caller)), token }
}

/** Ends one of one's own tokens. Refuses with NOT_FOUND. */
export async function revokeToken({ db, now }: Deps, caller: Caller, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const name = await queries.deleteToken(tx, caller.id, id)
    if (name === undefined) throw new Refusal('NOT_FOUND')
    const what = { subject: 'user', subjectId: caller.id, action: 'API token revoked', before: { name } } as const
    await logChange(tx, now(), { clubId: caller.clubId, userId: caller.id, ...what })
  })
}
