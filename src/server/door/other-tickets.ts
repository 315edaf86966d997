import { createHash } from 'node:crypto'
import type { OtherTickets } from '../../contract/door.ts'
import { MARK_BYTES } from '../../contract/values/ticket-codes.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Deps } from '../deps.ts'
import * as queries from './queries.ts'

/** How far an event may be from this one, in ms: people mix up the days of a weekend. */
const AROUND_MS = 3 * 24 * 60 * 60_000
/** Fewer than a byte can number. */
const MOST_EVENTS = 200
/** At most 80 kB. */
const MOST_TICKETS = 20_000
/** The number of marks is filled up to a multiple of this, so that it does not tell how many tickets there are. */
const FILLED_TO = 256

/** For how long phones get the same answer, in ms: all of a door ask when they open, and each answer reads every ticket. */
const SHARED_MS = 60_000

/**
 * Makes the function for what a phone needs to name the other event of a ticket, without learning anything about tickets whose code it does not
 * see. Phones of one event share an answer for a minute.
 */
export function makeOtherTickets(deps: Deps): (event: OwnEvent) => Promise<OtherTickets> {
  const shared = new Map<number, { until: number; answer: Promise<OtherTickets> }>()
  return (event) => {
    const now = deps.now().getTime()
    for (const [id, { until }] of shared) if (until <= now || until > now + SHARED_MS) shared.delete(id)
    const found = shared.get(event.id)
    if (found) return found.answer
    const answer = otherTickets(deps, event)
    shared.set(event.id, { until: now + SHARED_MS, answer })
    answer.catch(() => shared.delete(event.id))
    return answer
  }
}

async function otherTickets({ db }: Deps, event: OwnEvent): Promise<OtherTickets> {
  const events = await queries.findEventsAround(db, event, AROUND_MS, MOST_EVENTS)
  if (events.length === 0) return { events: [], marks: '' }
  const { marks, secret } = await queries.findMarks(
    db,
    events.map(({ id }) => id),
    MOST_TICKETS,
  )
  return {
    events: events.map(({ name, startsAt, timeZone }) => ({ name, startsAt, timeZone })),
    marks: filled(marks, `${secret} ${event.id}`).toString('base64'),
  }
}

/** The marks sorted, with others among them that belong to no ticket and are the same each time. */
function filled(marks: Buffer, secret: string): Buffer {
  const real = marks.length / MARK_BYTES
  const all = new Uint32Array(Math.max(1, Math.ceil(real / FILLED_TO)) * FILLED_TO)
  for (let n = 0; n < all.length; n++)
    all[n] =
      n < real
        ? marks.readUInt32BE(n * MARK_BYTES)
        : createHash('sha256')
            .update(`no ticket ${secret} ${n - real}`)
            .digest()
            .readUInt32BE()
  all.sort()
  const sorted = Buffer.alloc(all.length * MARK_BYTES)
  for (const [n, mark] of all.entries()) sorted.writeUInt32BE(mark, n * MARK_BYTES)
  return sorted
}
