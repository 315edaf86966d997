import type { Tx } from '../db/schema.ts'
import { hashOfRecoveryCode, newRecoveryCodes } from './codes.ts'
import { saveRecoveryCodes } from './queries.ts'

/** Makes ten new recovery codes; the previous ones stop working. */
export async function replaceRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await saveRecoveryCodes(tx, userId, codes.map(hashOfRecoveryCode))
  return codes
}
