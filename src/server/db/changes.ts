import { actingToken } from '../acting-token.ts'
import type { Deps } from '../deps.ts'
import type { Db, RegistrationRow, Tx } from './schema.ts'
import { type BoundStatement, runStatement, statement } from './statement.ts'
import type { ChangeTable } from './tables/platform.ts'

interface Change {
  clubId: number | null
  userId: number | null
  subject: ChangeTable['subject']
  subjectId: number
  action: string
  /** The event that it is about, where the caller knows it; else the database looks it up. */
  eventId?: number
  before?: unknown
  after?: unknown
}

/** A change with its time. */
type ChangeAt = Change & { at: Date }

/** Writes one row of the log of changes, in the transaction of the change itself, with the API token of the call. States, ids and what a club publishes; no personal data. */
export async function logChange(tx: Tx | Db, now: ReturnType<Deps['now']>, change: Change): Promise<void> {
  await logChanges(tx, [{ ...change, at: now }])
}

/** The same for a registration. */
export async function logRegistration(
  tx: Tx,
  now: Date,
  { id, clubId }: Pick<RegistrationRow, 'id' | 'clubId'>,
  change: Pick<Change, 'userId' | 'action' | 'before' | 'after'>,
): Promise<void> {
  await logChange(tx, now, { ...change, clubId, subject: 'registration', subjectId: id })
}

/** The same for several at once, each with its time. */
export async function logChanges(tx: Tx | Db, changes: readonly ChangeAt[]): Promise<void> {
  if (changes.length > 0) await runStatement(tx, changesLogged(changes))
}

const log = statement<never>(
  'log changes',
  `
  insert into changes (at, club_id, user_id, subject, subject_id, action, before, after, event_id, token_name)
  select *, $10::text
  from unnest($1::timestamptz[], $2::int[], $3::int[], $4::text[], $5::int[], $6::text[], $7::jsonb[], $8::jsonb[], $9::int[])
  `,
)

/** The statement of `logChanges`, to be sent in a pipeline. */
export function changesLogged(changes: readonly ChangeAt[]): BoundStatement<never> {
  return log(
    changes.map(({ at }) => at),
    changes.map(({ clubId }) => clubId),
    changes.map(({ userId }) => userId),
    changes.map(({ subject }) => subject),
    changes.map(({ subjectId }) => subjectId),
    changes.map(({ action }) => action),
    changes.map(({ before }) => asJson(before)),
    changes.map(({ after }) => asJson(after)),
    changes.map(({ eventId }) => eventId ?? null),
    actingToken(),
  )
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
