import type { Db, UserRow } from '../db/schema.ts'
import { runStatement, statement } from '../db/statement.ts'
import type { SessionTable } from '../db/tables/people.ts'

/** The sessions with these token hashes and their users, if they were used since `idleSince`. */
export async function findSessions(db: Db, tokenHashes: readonly string[], idleSince: Date) {
  return runStatement(db, sessions(tokenHashes, idleSince))
}

type Session = Pick<SessionTable, 'tokenHash' | 'lastUsedAt'> &
  Pick<UserRow, 'id' | 'fullName' | 'clubId' | 'teamRole' | 'eventIds' | 'passMay' | 'passRevokedAt'> & {
    /** When the event of a helper pass ends. */
    eventEndsAt: Date | null
    endedAt: Date | null
  }

const sessions = statement<Session>(
  'find sessions',
  `
  select s.token_hash, u.id, u.full_name, u.club_id, u.team_role, u.event_ids, s.last_used_at, s.ended_at,
    u.pass_may, u.pass_revoked_at, e.ends_at as event_ends_at
  from sessions s join users u on u.id = s.user_id left join clubs c on c.id = u.club_id
    left join events e on u.pass_may is not null and e.id = u.event_ids[1] and e.removed_at is null
  where s.token_hash = any($1::text[]) and s.last_used_at > $2 and c.removed_at is null
  `,
)

export async function touchSession(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ lastUsedAt: now }).where('tokenHash', '=', tokenHash).execute()
}
