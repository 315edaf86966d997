import type { Deps } from '../deps.ts'
import type { Db, RegistrationRow, Tx } from './schema.ts'
import type { ChangeTable } from './tables/platform.ts'

interface Change {
  clubId: number | null
  userId: number | null
  subject: ChangeTable['subject']
  subjectId: number
  action: string
  before?: unknown
  after?: unknown
}

/** Writes one row of the log of changes, in the transaction of the change itself. States and ids only, no personal data. */
export async function logChange(tx: Tx | Db, now: ReturnType<Deps['now']>, change: Change): Promise<void> {
  await logChanges(tx, [{ ...change, at: now }])
}

/** The same of a registration. */
export async function logRegistration(
  tx: Tx,
  now: Date,
  { id, clubId }: Pick<RegistrationRow, 'id' | 'clubId'>,
  change: Pick<Change, 'userId' | 'action' | 'before' | 'after'>,
): Promise<void> {
  await logChange(tx, now, { ...change, clubId, subject: 'registration', subjectId: id })
}

/** The same for several at once, each with its moment. */
export async function logChanges(tx: Tx | Db, changes: readonly (Change & { at: Date })[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ before, after, ...columns }) => ({
    ...columns,
    before: asJson(before),
    after: asJson(after),
  }))
  await tx.insertInto('changes').values(rows).execute()
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
