import { Refusal } from '../../contract/errors.ts'
import { readQr } from '../../contract/values/ticket-codes.ts'
import { logChange } from '../db/changes.ts'
import type { Deps } from '../deps.ts'
import { count, forgive, type Try, tooMany } from './limit-tries.ts'

/**
 * Runs `work` for a code. Typed short codes are short enough to guess, so a person may try only so many that do not exist; then
 * TOO_MANY_TRIES, with a row in the log of changes. Scanned codes still work.
 */
export async function limitCodes<T>(
  { db, now }: Deps,
  caller: { id: number; clubId: number },
  qrCodeData: string,
  work: () => Promise<T>,
): Promise<T> {
  const kind = readQr(qrCodeData)?.kind
  if (kind !== 'short' && kind !== 'short voucher') return work()
  const tries: Try[] = [{ rule: 'wrong short codes by person', of: String(caller.id) }]
  const [counted] = await count(db, now(), tries)
  if (counted && counted.excess > 0) {
    const who = { clubId: caller.clubId, userId: caller.id, subject: 'user' as const, subjectId: caller.id }
    if (counted.excess === 1) await logChange(db, now(), { ...who, action: 'too many wrong short codes' })
    throw tooMany(counted)
  }
  try {
    const answer = await work()
    await forgive(db, tries)
    return answer
  } catch (error) {
    const isWrong = error instanceof Refusal && error.code === 'NOT_FOUND'
    if (!isWrong) await forgive(db, tries)
    throw error
  }
}
