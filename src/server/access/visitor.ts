import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'

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

/** The caller as a visitor of this club; null for its own staff. Staff of another club are visitors here. */
export function visitorOf(
  { settings }: Pick<Deps, 'settings'>,
  clubId: number,
  { caller, address }: From,
): Visitor | null {
  if (caller?.role === 'admin' && caller.clubId === clubId) return null
  return { address: settings.limits ? address : null }
}
