import type { Deps } from '../deps.ts'
import type { ChangeTable, Db, Tx } from './schema.ts'

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
  const { before, after, ...columns } = change
  await tx
    .insertInto('changes')
    .values({ ...columns, at: now, before: asJson(before), after: asJson(after) })
    .execute()
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
