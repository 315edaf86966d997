import type { QueuedScan } from '../../contract/door.ts'
import type { Permission } from '../../contract/permissions.ts'
import type { AdminCaller } from '../access/caller.ts'

/** Whether this person may do this at the door. With a pass that has ended, what it allowed until then. */
export function mayDo({ pass, permissions }: AdminCaller, act: QueuedScan['act']): boolean {
  const allowed: readonly Permission[] = pass?.abilities ?? permissions
  return neededFor(act).every((needed) => allowed.includes(needed))
}

/** Whether this was done after the end of the pass. What was done before still counts. */
export function isAfterEnd({ pass }: AdminCaller, at: Date): boolean {
  return pass !== null && at >= pass.endsAt
}

function neededFor(act: QueuedScan['act']): readonly Permission[] {
  // A phone takes back only what it did itself.
  if (act.kind === 'undo') return []
  if (act.kind === 'redeem') return ['redeem']
  // Who has paid is let in with it.
  if (act.kind === 'pay') return ['take-money', 'tickets']
  if (act.kind === 'walk-in') return ['walk-ins']
  return act.kind === 'hand' && act.codeHash === undefined ? ['search'] : ['tickets']
}
