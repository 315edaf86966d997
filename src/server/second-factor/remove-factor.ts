import type { Tx } from '../db/schema.ts'
import { forgetAll } from '../limits/limit-tries.ts'
import { codeTries } from './check-factor.ts'
import { deletePasskeys } from './passkey-queries.ts'
import { deleteApp, deleteRecoveryCodes, hasSecondFactor } from './queries.ts'

/** Removes somebody's whole second factor: app, passkeys, and recovery codes. False when there was none. */
export async function removeFactor(tx: Tx, userId: number): Promise<boolean> {
  const hadPasskeys = await deletePasskeys(tx, userId)
  return (await removeCodeApp(tx, userId)) || hadPasskeys
}

/** Removes somebody's app with codes and the count of wrong codes; false when none was set up. */
export async function removeCodeApp(tx: Tx, userId: number): Promise<boolean> {
  // Wrong codes of this app say nothing about the next one.
  await forgetAll(tx, codeTries(userId))
  const had = await deleteApp(tx, userId)
  await deleteUnneededCodes(tx, userId)
  return had
}

/** Deletes the recovery codes of somebody whose last factor was removed; returns whether it was. */
export async function deleteUnneededCodes(tx: Tx, userId: number): Promise<boolean> {
  if (await hasSecondFactor(tx, userId)) return false
  await deleteRecoveryCodes(tx, userId)
  return true
}
