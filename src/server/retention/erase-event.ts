import { logChange } from '../db/changes.ts'
import type { JobRow, Tx } from '../db/schema.ts'
import { deleteDoorRows } from '../jobs/queries.ts'
import { CHUNK, type StepResult } from '../jobs/step.ts'
import {
  eraseFormerHolders,
  erasePeople,
  findToErase,
  findWithFormerHolders,
  lockDueEvent,
  markErased,
} from './queries.ts'

/** Deletes the personal data of some of an event's registrations, then what the door wrote down, and finally notes that it is done. */
export async function eraseEventStep(tx: Tx, now: Date, { eventId, doneId }: JobRow): Promise<StepResult> {
  if (eventId === null || !(await lockDueEvent(tx, eventId, now))) return { isDone: true }
  const ids = await findToErase(tx, eventId, doneId, CHUNK)
  if (ids.length > 0) {
    await erasePeople(tx, ids, now)
    return { isDone: false, doneId: ids.at(-1) ?? doneId }
  }
  // Also of tickets whose own holder was deleted before.
  const handedOn = await findWithFormerHolders(tx, eventId, CHUNK)
  if (handedOn.length > 0) {
    await eraseFormerHolders(tx, handedOn)
    return { isDone: false }
  }
  if ((await deleteDoorRows(tx, eventId, CHUNK)) > 0) return { isDone: false }
  const { clubId } = await markErased(tx, eventId, now)
  await logChange(tx, now, { clubId, userId: null, subject: 'event', subjectId: eventId, action: 'data deleted' })
  return { isDone: true }
}
