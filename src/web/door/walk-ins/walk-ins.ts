import type { PhoneQuota } from '../../../contract/door.ts'
import type { Extras } from '../../../contract/extras.ts'
import type { FormQuestion } from '../../../contract/forms.ts'
import type { TicketType } from '../../../contract/ticket-type.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'

/** What this phone needs to add people without network. */
export interface WalkIns {
  /** The places that it keeps, as the server last said. */
  quota: PhoneQuota
  /** How many of them it has given to people, whether the server knows of them or not. */
  made: number
}

/** The form for people without a ticket, stored so that it opens without network. */
export interface WalkInForm {
  questions: FormQuestion[]
  types: TicketType[]
  extras: Extras[]
}

/** How many people this phone can still add by itself; null without a limit. Places that it is to give back are not given to anybody. */
export function placesLeft({ quota, made }: WalkIns): number | null {
  if (!quota.isLimited) return null
  return Math.max(0, Math.min(quota.granted, quota.wanted) - made)
}

/** Of how many places in all this phone may tell the server that it keeps no more; null when there is nothing to give back. */
export function toConfirm({ quota, made }: WalkIns): number | null {
  const kept = Math.max(quota.wanted, made)
  return quota.isLimited && kept < quota.granted ? kept : null
}

/**
 * What the phone has after the server's answer. While people wait to be sent, only the phone knows how many places are used; `isSettled`
 * says that none did since the server was asked, so that its number is the right one.
 */
export function withQuota(
  before: WalkIns | null,
  quota: PhoneQuota,
  { waiting, isSettled }: { waiting: number; isSettled: boolean },
): WalkIns {
  const made = isSettled ? quota.used : Math.max(before?.made ?? 0, quota.used + waiting)
  return { quota, made }
}

/** What the phone has when the scanner is opened: people who wait to be sent have their places, whatever was stored last. */
export function withWaiting({ quota, made }: WalkIns, queue: readonly QueueEntry[]): WalkIns {
  const waiting = queue.filter(({ act }) => act.kind === 'walk-in').length
  return { quota, made: waiting === 0 ? made : Math.max(made, quota.used + waiting) }
}

/** The people added by this phone that wait to be sent, but for those that were taken back. */
export function waitingWalkIns(queue: readonly QueueEntry[]): QueueEntry[] {
  const undone = undoneIn(queue)
  return queue.filter(({ act, scanId }) => act.kind === 'walk-in' && !undone.has(scanId))
}

/** Those that were taken back, and whose places are used until the server knows of it: it may have added them already. */
export function takenBackWalkIns(queue: readonly QueueEntry[]): QueueEntry[] {
  const undone = undoneIn(queue)
  return queue.filter(({ act, scanId }) => act.kind === 'walk-in' && undone.has(scanId))
}

const undoneIn = (queue: readonly QueueEntry[]) =>
  new Set(queue.flatMap(({ act }) => (act.kind === 'undo' ? [act.scanId] : [])))
