import type { OwnEvent } from '../access/own-event.ts'
import type { Tx } from '../db/schema.ts'
import * as queries from './queries.ts'

/** A count, and the first transaction whose changes it may lack. */
interface Counted {
  base: string
  from: string
  count: number
}

/** Maximum number of events whose counts are cached; others are counted each time. */
const MOST_EVENTS = 500

export type CountTickets = (tx: Tx, event: OwnEvent, horizon: queries.Horizon) => Promise<number>

/**
 * Makes the function that counts an event's tickets. Every phone asks every few seconds, so the last count is cached, and renewed only
 * after a registration was added, removed or changed. It covers at least what a cursor of the door's list covers.
 */
export function makeCountTickets(): CountTickets {
  const known = new Map<number, Counted>()
  return async (tx, event, { next, beyond, base }) => {
    const last = known.get(event.id)
    // A different base or a lower number: a backup was restored.
    const isUsable = last?.base === base && BigInt(last.from) <= BigInt(beyond)
    const isSame = isUsable && !(await queries.haveTicketsChanged(tx, event, last.from))
    const count = isSame ? last.count : await queries.countTickets(tx, event)
    known.delete(event.id)
    known.set(event.id, { base, from: next, count })
    const [oldest] = known.keys()
    if (known.size > MOST_EVENTS && oldest !== undefined) known.delete(oldest)
    return count
  }
}
