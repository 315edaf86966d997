import type { QueuedScan } from '../../contract/door.ts'
import type { Permission } from '../../contract/permissions.ts'
import type { AdminCaller } from '../access/caller.ts'

/** Whether this person may not do this at the door. With a pass that has ended, what was done before its end still counts. */
export function isBarred({ pass, permissions }: AdminCaller, act: QueuedScan['act'], at: Date): boolean {
  if (pass !== null && at >= pass.endsAt) return true
  const allowed: readonly Permission[] = pass?.abilities ?? permissions
  const needed = neededFor(act)
  return needed !== null && !allowed.includes(needed)
}

function neededFor(act: QueuedScan['act']): Permission | null {
  // A phone takes back only what it did itself.
  if (act.kind === 'undo') return null
  if (act.kind === 'redeem') return 'redeem'
  return act.kind === 'hand' && act.codeHash === undefined ? 'search' : 'tickets'
}
