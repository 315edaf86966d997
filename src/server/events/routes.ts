import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { canRegister, eventState } from '../../contract/event-state.ts'
import { eventApi } from '../../contract/events.ts'
import { fromLocalInput, toLocalInput } from '../../contract/values/dates.ts'
import { languageFor } from '../../contract/values/languages.ts'
import * as texts from '../../texts/generated/api.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import { worksOn } from '../access/caller.ts'
import { visibleEvent } from '../access/visible-event.ts'
import type { EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { closedSignal, type Implement } from '../http/implement.ts'
import { type ReadEvent, readActiveEvents, readClub, readEvent } from '../records/shared-reads.ts'
import { toEvent, toListedEvent, translationOf } from '../records/to-event.ts'
import { previewForVisitor } from '../tickets/maker.ts'
import { copyEvent } from './copy-event.ts'
import { makeDescriptionHtml } from './description-html.ts'
import { clubCalendar, eventCalendarFile } from './event-calendar.ts'
import { eventPoster } from './event-poster.ts'
import { shownOnPreview } from './event-preview.ts'
import { listEvents } from './queries.ts'
import { removeEvent } from './remove-event.ts'
import { saveEvent } from './save-event.ts'
import { robots, sitemap } from './sitemap.ts'

/** How many other events an event's page lists. */
const MOST_NEXT = 3
const DAY = 24 * 60 * 60

export function eventRoutes(implement: Implement, deps: Deps): void {
  const { db } = deps
  const descriptionHtml = makeDescriptionHtml(deps)
  const whole = async (row: Parameters<typeof descriptionHtml>[0] & EventRow) =>
    toEvent(row, await descriptionHtml(row))
  const answers = new WeakMap<ReadEvent, Map<string, Promise<Event>>>()
  /** One answer for all callers who share the row and the language, if the event is translated. */
  const shared = (row: ReadEvent, language: Language) => {
    const of = answers.get(row) ?? new Map<string, Promise<Event>>()
    answers.set(row, of)
    const key = row.translations[language] ? language : ''
    const answer = of.get(key) ?? translated(row, language)
    of.set(key, answer)
    return answer
  }
  const translated = async (row: ReadEvent, language: Language): Promise<Event> => {
    const [event, translation] = await Promise.all([
      whole(row),
      translationOf(row, language, (description) => descriptionHtml({ id: row.id, description, language })),
    ])
    return { ...event, translation }
  }
  const lists = new WeakMap<readonly EventRow[], Map<Language, Event[]>>()
  const activeEvents = async (clubId: number, after: Date, language: Language) => {
    const rows = await readActiveEvents(db, clubId, after)
    const of = lists.get(rows) ?? new Map<Language, Event[]>()
    lists.set(rows, of)
    const answer = of.get(language) ?? rows.map((row) => toListedEvent(row, language))
    of.set(language, answer)
    return answer
  }
  implement(eventApi, {
    getAllEvents: async ({ caller, club }) => {
      const events = await listEvents(db, club.id)
      return { payload: events.filter((row) => worksOn(caller, row)).map((row) => toEvent(row)) }
    },
    getAllActiveEvents: async ({ input, language }) => {
      const club = await readClub(db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      const dayStart = fromLocalInput(`${input.currentDate}T00:00`, club.timeZone) ?? deps.now()
      return { payload: await activeEvents(club.id, dayStart, language()) }
    },
    getNextEvents: async ({ input, language }) => {
      const club = await readClub(db, input.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      const now = deps.now()
      // From the start of the day, because each other moment would be a look-up of its own.
      const today = fromLocalInput(`${toLocalInput(now, club.timeZone).slice(0, 10)}T00:00`, club.timeZone) ?? now
      const next = (await activeEvents(club.id, today, language())).filter(
        (event) => event.id !== input.eventId && (canRegister(event, now) || eventState(event, now) === 'not open'),
      )
      return { payload: next.slice(0, MOST_NEXT) }
    },
    getEvent: async ({ input, caller, language }) => ({
      payload: await shared(await visibleEvent(db, input.eventId, caller), language()),
    }),
    getEventByEventIdnClubId: async ({ input, caller, language }) => {
      const clubId = input.clubId ?? caller?.clubId
      if (clubId == null) throw new Refusal('INVALID_INPUT', { fields: [{ path: 'clubId', msg: fieldTexts.required }] })
      const event = await visibleEvent(db, input.eventId, caller)
      if (event.clubId !== clubId) throw new Refusal('NOT_FOUND')
      return { payload: await shared(event, language()) }
    },
    getCalendarFile: async ({ input, caller }) => {
      const event = await visibleEvent(db, input.eventId, caller)
      const club = await readClub(db, event.clubId)
      if (!club) throw new Refusal('NOT_FOUND')
      return {
        payload: null,
        file: inLanguage(languageFor(input.lang, club), () => eventCalendarFile(deps, event, club, input.of)),
      }
    },
    save: async ({ caller, event, input, upload }) => ({
      payload: await whole(await saveEvent(deps, caller, event, input, upload)),
      msg: texts.saved,
    }),
    copy: async ({ caller, event, input }) => ({
      payload: await whole(await copyEvent(deps, caller, event, input.payload.startsAt)),
      msg: texts.copiedAsADraft,
    }),
    getPoster: async ({ event, input, closed, language }) => ({
      payload: null,
      file: await eventPoster(deps, event, { size: input.size, language: language() }, closed()),
    }),
    removeEvent: async ({ caller, event }) => ({
      payload: toEvent(await removeEvent(deps, caller, event)),
      msg: texts.removed,
    }),
  })
}

/**
 * Serves each club's events as a calendar to subscribe to, at `/club/:clubId/events.ics`, the
 * files for search engines, and the pictures of link previews.
 */
export function feedRoutes(app: FastifyInstance, deps: Deps): void {
  const { baseUrl } = deps.settings
  app.get('/robots.txt', (_request, reply) => reply.type('text/plain; charset=utf-8').send(robots(baseUrl)))
  app.get('/sitemap.xml', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/xml; charset=utf-8')
      .send(await sitemap(deps.db, baseUrl, deps.now())),
  )
  app.get<{ Params: { file: string } }>('/preview/:file', async (request, reply) => {
    const [, id, asked = null] = /^(\d{1,9})(?:-([\w-]{2,20}))?\.jpg$/.exec(request.params.file) ?? []
    const event = id === undefined ? undefined : await readEvent(deps.db, Number(id))
    const club = event && event.status !== 'draft' ? await readClub(deps.db, event.clubId) : undefined
    if (!event || !club) throw new Refusal('NOT_FOUND')
    const picture = await previewForVisitor(shownOnPreview(event, club, languageFor(asked, club)), closedSignal(reply))
    return reply.header('cache-control', `public, max-age=${DAY}`).type('image/jpeg').send(picture)
  })
  app.get<{ Params: { clubId: string } }>('/club/:clubId/events.ics', async (request, reply) => {
    const { clubId } = request.params
    const club = /^\d{1,9}$/.test(clubId) ? await readClub(deps.db, Number(clubId)) : undefined
    if (!club) throw new Refusal('NOT_FOUND')
    return reply
      .header('cache-control', 'public, max-age=300')
      .type('text/calendar; charset=utf-8')
      .send(await clubCalendar(deps, club))
  })
}
