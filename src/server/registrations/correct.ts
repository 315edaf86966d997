import type { RegistrationData } from '../../contract/registrations.ts'
import { logRegistration } from '../db/changes.ts'
import type { FormQuestionRow, RegistrationRow, Tx } from '../db/schema.ts'
import type { Answer } from '../db/tables/events.ts'
import { updateRegistration } from './queries.ts'

type Data = Omit<RegistrationData, 'others'> & { others: Answer[] }

/** Stores a correction, by staff or (`userId` null) by the ticket holder. Answers that the form no longer asks for stay. */
export async function correct(
  tx: Tx,
  before: RegistrationRow,
  data: Data,
  questions: readonly FormQuestionRow[],
  { now, userId }: { now: Date; userId: number | null },
): Promise<RegistrationRow> {
  const asked = new Set(data.others.map(({ qId }) => qId))
  const current = new Set(questions.map(({ id }) => id))
  const kept = before.others.filter(({ qId }) => !current.has(qId) && !asked.has(qId))
  const saved = await updateRegistration(tx, before.id, { ...data, others: [...data.others, ...kept] })
  const changed = (['name', 'email', 'phone', 'others'] as const).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(saved[field]),
  )
  if (changed.length > 0)
    await logRegistration(tx, now, before, { userId, action: 'corrected', after: { fields: changed } })
  return saved
}
