import type { QueuedScan } from '../../contract/door.ts'
import type { Permission } from '../../contract/permissions.ts'
import type { AdminCaller } from '../access/caller.ts'

/** Whether this person may do this at the door. With a pass that has ended, what it allowed until then. */
export function mayDo({ pass, permissions }: AdminCaller, act: QueuedScan['act']): boolean {
  const allowed: readonly Permission[] = pass?.abilities ?? permissions
  const needed = neededFor(act)
  return needed === null || allowed.includes(needed)
}

/** Whether this was done after the end of the pass. What was done before still counts. */
export function isAfterEnd({ pass }: AdminCaller, at: Date): boolean {
  return pass !== null && at >= pass.endsAt
}

function neededFor(act: QueuedScan['act']): Permission | null {
  // A phone takes back only what it did itself.
  if (act.kind === 'undo') return null
  if (act.kind === 'redeem') return 'redeem'
  return act.kind === 'hand' && act.codeHash === undefined ? 'search' : 'tickets'
}
