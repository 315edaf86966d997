import type { Deps } from '../deps.ts'
import { type Caller, may, worksOn } from './caller.ts'

/** Somebody who registers and is not staff of the club. */
export interface Visitor {
  /** Their network address; null when no limits apply. */
  address: string | null
}

/** Where a call came from. */
export interface From {
  caller: Caller | null
  address: string
}

/** The caller as a visitor of this event; null for staff who may add people to it. All others are visitors here. */
export function visitorOf(
  { settings }: Pick<Deps, 'settings'>,
  event: { id: number; clubId: number },
  { caller, address }: From,
): Visitor | null {
  if (worksOn(caller, event) && may(caller, 'walk-ins')) return null
  return { address: settings.limits ? address : null }
}
