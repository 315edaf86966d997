import type { FastifyInstance } from 'fastify'
import { fromLocalInput } from '../../contract/dates.ts'
import { Refusal } from '../../contract/errors.ts'
import { eventApi } from '../../contract/events.ts'
import type { Caller } from '../access/caller.ts'
import { findClub } from '../clubs/queries.ts'
import type { Db, EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { implement } from '../http/implement.ts'
import { findEvent, listActiveEvents, listEvents } from './queries.ts'
import { saveEvent } from './save-event.ts'
import { toEvent } from './to-event.ts'

export function eventRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  implement(app, deps, eventApi, {
    getAllEvents: async ({ club }) => ({ payload: (await listEvents(db, club.id)).map(toEvent) }),
    getAllActiveEvents: async ({ input }) => {
      const club = await findClub(db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      const dayStart = fromLocalInput(`${input.currentDate}T00:00`, club.timeZone) ?? deps.now()
      return { payload: (await listActiveEvents(db, club.id, dayStart)).map(toEvent) }
    },
    getEvent: async ({ input, caller }) => ({ payload: toEvent(await visibleEvent(db, input.eventId, caller)) }),
    getEventByEventIdnClubId: async ({ input, caller }) => {
      const event = await visibleEvent(db, input.eventId, caller)
      if (event.clubId !== input.clubId) throw new Refusal('NOT_FOUND')
      return { payload: toEvent(event) }
    },
    save: async ({ caller, event, input }) => ({
      payload: toEvent(await saveEvent(deps, caller, event, input)),
      msg: 'Saved.',
    }),
  })
}

/** The event as this caller may see it: a draft is there only for staff of its own club. */
async function visibleEvent(db: Db, eventId: number, caller: Caller | null): Promise<EventRow> {
  const event = await findEvent(db, eventId)
  const isOwn = event !== undefined && caller?.role === 'admin' && caller.clubId === event.clubId
  if (!event || (event.status === 'draft' && !isOwn)) throw new Refusal('NOT_FOUND')
  return event
}
