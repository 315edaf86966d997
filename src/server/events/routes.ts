import { Refusal } from '../../contract/errors.ts'
import { eventApi } from '../../contract/events.ts'
import { fromLocalInput } from '../../contract/values/dates.ts'
import { visibleEvent } from '../access/visible-event.ts'
import type { EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { findClub } from '../records/club-queries.ts'
import { toEvent } from '../records/to-event.ts'
import { makeDescriptionHtml } from './description-html.ts'
import { listActiveEvents, listEvents } from './queries.ts'
import { removeEvent } from './remove-event.ts'
import { saveEvent } from './save-event.ts'

export function eventRoutes(implement: Implement, deps: Deps): void {
  const { db } = deps
  const descriptionHtml = makeDescriptionHtml(deps)
  const whole = async (row: EventRow) => toEvent(row, await descriptionHtml(row))
  implement(eventApi, {
    getAllEvents: async ({ club }) => ({ payload: (await listEvents(db, club.id)).map((row) => toEvent(row)) }),
    getAllActiveEvents: async ({ input }) => {
      const club = await findClub(db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      const dayStart = fromLocalInput(`${input.currentDate}T00:00`, club.timeZone) ?? deps.now()
      return { payload: (await listActiveEvents(db, club.id, dayStart)).map((row) => toEvent(row)) }
    },
    getEvent: async ({ input, caller }) => ({ payload: await whole(await visibleEvent(db, input.eventId, caller)) }),
    getEventByEventIdnClubId: async ({ input, caller }) => {
      const clubId = input.clubId ?? caller?.clubId
      if (clubId == null) throw new Refusal('INVALID_INPUT', { fields: [{ path: 'clubId', msg: 'This is required.' }] })
      const event = await visibleEvent(db, input.eventId, caller)
      if (event.clubId !== clubId) throw new Refusal('NOT_FOUND')
      return { payload: await whole(event) }
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
