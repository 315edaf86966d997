import { Refusal } from '../../contract/errors.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { fromLocalInput } from '../../contract/values/dates.ts'
import { visibleEvent } from '../access/visible-event.ts'
import type { EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { type ReadEvent, readActiveEvents, readClub } from '../records/shared-reads.ts'
import { toEvent } from '../records/to-event.ts'
import { makeDescriptionHtml } from './description-html.ts'
import { listEvents } from './queries.ts'
import { removeEvent } from './remove-event.ts'
import { saveEvent } from './save-event.ts'

export function eventRoutes(implement: Implement, deps: Deps): void {
  const { db } = deps
  const descriptionHtml = makeDescriptionHtml(deps)
  const whole = async (row: Parameters<typeof descriptionHtml>[0] & EventRow) =>
    toEvent(row, await descriptionHtml(row))
  const answers = new WeakMap<ReadEvent, Promise<Event>>()
  /** One answer for all callers who share the row. */
  const shared = (row: ReadEvent) => {
    const answer = answers.get(row) ?? whole(row)
    answers.set(row, answer)
    return answer
  }
  const lists = new WeakMap<readonly EventRow[], Event[]>()
  const activeEvents = async (clubId: number, after: Date) => {
    const rows = await readActiveEvents(db, clubId, after)
    const answer = lists.get(rows) ?? rows.map((row) => toEvent(row))
    lists.set(rows, answer)
    return answer
  }
  implement(eventApi, {
    getAllEvents: async ({ club }) => ({ payload: (await listEvents(db, club.id)).map((row) => toEvent(row)) }),
    getAllActiveEvents: async ({ input }) => {
      const club = await readClub(db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      const dayStart = fromLocalInput(`${input.currentDate}T00:00`, club.timeZone) ?? deps.now()
      return { payload: await activeEvents(club.id, dayStart) }
    },
    getEvent: async ({ input, caller }) => ({ payload: await shared(await visibleEvent(db, input.eventId, caller)) }),
    getEventByEventIdnClubId: async ({ input, caller }) => {
      const clubId = input.clubId ?? caller?.clubId
      if (clubId == null) throw new Refusal('INVALID_INPUT', { fields: [{ path: 'clubId', msg: 'This is required.' }] })
      const event = await visibleEvent(db, input.eventId, caller)
      if (event.clubId !== clubId) throw new Refusal('NOT_FOUND')
      return { payload: await shared(event) }
    },
    save: async ({ caller, event, input, upload }) => ({
      payload: await whole(await saveEvent(deps, caller, event, input, upload)),
      msg: 'Saved.',
    }),
    removeEvent: async ({ caller, event }) => ({
      payload: toEvent(await removeEvent(deps, caller, event)),
      msg: 'Removed.',
    }),
  })
}
