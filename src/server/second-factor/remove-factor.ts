import type { Tx } from '../db/schema.ts'
import { forgetAll } from '../limits/limit-tries.ts'
import { codeTries } from './check-factor.ts'
import { deleteApp } from './queries.ts'

/** Removes somebody's app with its recovery codes and the count of wrong codes; false when none was set up. */
export async function removeFactor(tx: Tx, userId: number): Promise<boolean> {
  // Wrong codes of this app say nothing about the next one.
  await forgetAll(tx, codeTries(userId))
  return deleteApp(tx, userId)
}
