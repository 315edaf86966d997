import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/schema.ts'
import { type ReadEvent, readEvent } from '../records/shared-reads.ts'
import { type Caller, may, worksOn } from './caller.ts'

/** The event as this caller may see it: a draft is visible only to staff who work on it, else NOT_FOUND. */
export async function visibleEvent(db: Db, eventId: number, caller: Caller | null): Promise<ReadEvent> {
  const event = await readEvent(db, eventId)
  if (!event || (event.status === 'draft' && !maySeeDraft(caller, event))) throw new Refusal('NOT_FOUND')
  return event
}

/** A program sees what its token allows it to read. */
function maySeeDraft(caller: Caller | null, event: ReadEvent): boolean {
  if (!worksOn(caller, event)) return false
  return caller.apiToken === null || may(caller, 'read') || may(caller, 'events')
}
