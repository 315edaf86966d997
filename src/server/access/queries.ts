import type { TeamRole } from '../../contract/permissions.ts'
import type { Db, UserRow } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'
import type { ApiTokenTable, SessionTable } from '../db/tables/people.ts'

/** The sessions with these token hashes and their users, if they were used since `idleSince`. Those that have not proved the second factor of their user are left out. */
export async function findSessions(db: Db, tokenHashes: readonly string[], idleSince: Date) {
  return runStatement(db, sessions(tokenHashes, idleSince))
}

type Session = Pick<SessionTable, 'tokenHash' | 'lastUsedAt' | 'createdAt'> &
  Pick<UserRow, 'id' | 'fullName' | 'clubId' | 'teamRole' | 'eventIds' | 'passMay' | 'passRevokedAt'> & {
    /** When the event of a helper pass ends. */
    eventEndsAt: Date | null
    endedAt: Date | null
    confirmedAt: Date | null
    hasSecondFactor: boolean
    hasPasskey: boolean
    /** Whether their club requires a second factor; null for the operator. */
    needsSecondFactor: boolean | null
    /** Since when it requires one. */
    secondFactorSince: Date | null
  }

const sessions = statement<Session>(
  'find sessions',
  `
  select * from (
    select s.token_hash, u.id, u.full_name, u.club_id, u.team_role, u.event_ids, s.last_used_at, s.ended_at, s.created_at, s.confirmed_at,
      s.proved_factor, u.pass_may, u.pass_revoked_at, e.ends_at as event_ends_at,
      has_second_factor(u.id), exists (select from passkeys k where k.user_id = u.id) as has_passkey,
      c.needs_second_factor, c.second_factor_since
    from sessions s join users u on u.id = s.user_id left join clubs c on c.id = u.club_id
      left join events e on u.pass_may is not null and e.id = u.event_ids[1] and e.removed_at is null
    where s.token_hash = any($1::text[]) and s.last_used_at > $2 and c.removed_at is null
    -- Keeps the planner from calling the function once for each place where its answer is used.
    offset 0
  ) s where proved_factor or not has_second_factor
  `,
)

export async function touchSession(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ lastUsedAt: now }).where('tokenHash', '=', tokenHash).execute()
}

/** An API token with the person for whom it acts. */
export type TokenOfPerson = Pick<ApiTokenTable, 'tokenHash' | 'permissions' | 'expiresAt'> & {
  tokenId: number
  tokenName: string
  lastUsedAt: Date | null
  id: number
  fullName: string
  clubId: number
  teamRole: TeamRole
  eventIds: number[] | null
  hasSecondFactor: boolean
  /** Whether their club requires a second factor. */
  needsSecondFactor: boolean
}

const tokens = statement<TokenOfPerson>(
  'find API tokens',
  `
  select t.token_hash, t.id as token_id, t.name as token_name, t.permissions, t.expires_at, t.last_used_at,
    u.id, u.full_name, u.club_id, u.team_role, u.event_ids, has_second_factor(u.id), c.needs_second_factor
  from api_tokens t join users u on u.id = t.user_id join clubs c on c.id = u.club_id
  where t.token_hash = any($1::text[]) and c.removed_at is null and u.team_role is not null
  `,
)

/** The API tokens with these hashes, also expired ones, with the people for whom they act. */
export async function findTokens(db: Db, tokenHashes: readonly string[]): Promise<TokenOfPerson[]> {
  return runStatement(db, tokens(tokenHashes))
}

export async function touchToken(db: Db, id: number, now: Date): Promise<void> {
  await db.updateTable('apiTokens').set({ lastUsedAt: now }).where('id', '=', id).execute()
}
