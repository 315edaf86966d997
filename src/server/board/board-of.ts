import type { Board } from '../../contract/board.ts'
import { seatsLeft } from '../../contract/event.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Deps } from '../deps.ts'
import { countUnseenConflicts } from '../scans/queries.ts'
import { countArrivals as countByFiveMinutes } from '../statistics/queries.ts'
import { findQuotas } from '../walk-ins/queries.ts'
import * as queries from './queries.ts'

const MINUTE = 60_000
/** The length of the course of arrivals, and of what counts as lately. */
const COURSE_MS = 60 * MINUTE
const LATELY_MS = 10 * MINUTE
/** A phone that has not reported for so long was there on another night. */
const SHOWN_MS = 12 * 60 * MINUTE

/** The board of an event: its phones, and how many people have arrived. */
export async function boardOf({ db, now }: Deps, event: OwnEvent): Promise<Board> {
  const at = now()
  const free = seatsLeft(event)
  const quotas = await findQuotas(db, event)
  const before = (ms: number) => new Date(at.getTime() - ms)
  return {
    now: at,
    phones: await queries.listPhones(db, event, before(SHOWN_MS)),
    ...(await queries.countArrivals(db, event, before(LATELY_MS))),
    arrivals: await countByFiveMinutes(db, event, before(COURSE_MS), before(-MINUTE)),
    conflicts: await countUnseenConflicts(db, event),
    walkIns: free === null && quotas.length === 0 ? null : { free, quotas },
  }
}
