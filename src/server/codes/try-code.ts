import type { Deps } from '../deps.ts'
import { byNetwork, forgive, limitTries } from '../limits/limit-tries.ts'
import { UnknownCode } from './use-code.ts'

/**
 * Does something with a code that a visitor has typed. Limits how many unknown ones a network may try, also at the same moment: each counts
 * before it is looked at, and no longer once it is known. Without a code or an address, nothing is counted.
 */
export async function withCode<T>(
  deps: Deps,
  { code, address }: { code: string | undefined; address: string | null },
  work: () => Promise<T>,
): Promise<T> {
  if (code === undefined || address === null) return work()
  const tries = byNetwork('unknown codes by network', address)
  await limitTries(deps, tries)
  try {
    const done = await work()
    await takeBack()
    return done
  } catch (error) {
    if (!(error instanceof UnknownCode)) await takeBack()
    throw error
  }

  async function takeBack(): Promise<void> {
    if (deps.settings.limits) await forgive(deps.db, tries)
  }
}
