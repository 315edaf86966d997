import { Refusal } from '../../contract/errors.ts'
import { fromLocalInput, toLocalInput } from '../../contract/values/dates.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { EventRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { findExtrasOf, insertExtras } from '../extras/queries.ts'
import { findQuestions, insertQuestion } from '../forms/queries.ts'
import { readImage } from '../images/read-image.ts'
import { noImage, saveWithImage } from '../images/save-with-image.ts'
import { holdClub } from '../records/club-queries.ts'
import { copyTicketTypes } from '../ticket-types/copy-ticket-types.ts'
import { insertEvent } from './queries.ts'
import { logEvent } from './save-event.ts'

/**
 * Copies an event with its form, its ticket types and vouchers on sale and its banner, as a draft that starts at `startsAt`. Its other times move with the
 * start and keep their time of day.
 */
export async function copyEvent(deps: Deps, caller: AdminCaller, event: OwnEvent, startsAt: Date): Promise<EventRow> {
  const { db, now } = deps
  // A file of its own, because the original's goes with the original.
  const banner = event.banner === '' ? null : await readImage(deps, { kind: 'event-banner', file: event.banner })
  const image = { kind: 'event-banner' as const, field: 'banner', upload: banner, clubId: caller.clubId, remove: false }
  return saveWithImage(deps, image, ({ file, ratio } = noImage) =>
    db.transaction().execute(async (tx) => {
      if (!(await holdClub(tx, event.clubId))) throw new Refusal('NOT_FOUND')
      const { clubId, name, description, location, timeZone } = event
      const { maxAttendees, maxPerEmail, ticketPrice, currency, phoneField, allowsHandOn, keepDays, translations } =
        event
      const translatedPlaces = placesOfCopy(event)
      const saved = await insertEvent(tx, {
        ...{ clubId, name, description, location, timeZone },
        ...{ maxAttendees, maxPerEmail, ticketPrice, currency, phoneField, allowsHandOn, keepDays, translations },
        allowsReentry: event.allowsReentry,
        translatedPlaces,
        ...movedTimes(event, startsAt),
        startsAt,
        banner: file,
        bannerRatio: ratio,
        status: 'draft',
        createdAt: now(),
      })
      const eventId = saved.id
      const types = await copyTicketTypes(tx, event.id, saved, (moment) => movedBy(event, startsAt, moment))
      await copyForm(tx, event.id, eventId, types)
      const onSale = (await findExtrasOf(tx, [event.id])).sort((a, b) => a.position - b.position || a.id - b.id)
      for (const { name, description, price, content, maxQuantity } of onSale) {
        const voucher = { name, description, price, maxQuantity, content: JSON.stringify(content) }
        await insertExtras(tx, { ...voucher, eventId, soldCount: 0, removedAt: null })
      }
      await logEvent(tx, now(), caller, null, saved)
      return { saved, fileBefore: '' }
    }),
  )
}

/** Copies the questions. Those asked only for ticket types that are no longer on sale are left out. */
async function copyForm(
  tx: Tx,
  fromEventId: number,
  eventId: number,
  types: ReadonlyMap<number, number>,
): Promise<void> {
  for (const question of await findQuestions(tx, [fromEventId])) {
    const { typeId, text, required, options, showAtDoor, askedOf, position } = question
    const ticketTypeIds = question.ticketTypeIds.flatMap((id) => types.get(id) ?? [])
    if (question.ticketTypeIds.length > 0 && ticketTypeIds.length === 0) continue
    const content = {
      typeId,
      text,
      required,
      showAtDoor,
      askedOf,
      position,
      ticketTypeIds,
      options: JSON.stringify(options),
    }
    await insertQuestion(tx, { ...content, eventId })
  }
}

/** Which texts were translated where; questions and vouchers of the copy have other ids. */
function placesOfCopy({ translatedPlaces }: EventRow): EventRow['translatedPlaces'] {
  const kept = Object.entries(translatedPlaces).map(([language, { name, description }]) => [
    language,
    { ...(name !== undefined && { name }), ...(description !== undefined && { description }) },
  ])
  return Object.fromEntries(kept)
}

/** A time of the event, moved by as much as its start, measured on the clock of its zone. */
function movedBy(event: EventRow, startsAt: Date, moment: Date): Date {
  const onClock = (each: Date) => Date.parse(`${toLocalInput(each, event.timeZone)}:00.000Z`)
  const by = onClock(startsAt) - onClock(event.startsAt)
  return fromLocalInput(new Date(onClock(moment) + by).toISOString().slice(0, 16), event.timeZone) ?? moment
}

function movedTimes(event: EventRow, startsAt: Date) {
  const moved = (moment: Date) => movedBy(event, startsAt, moment)
  return {
    endsAt: moved(event.endsAt),
    registrationOpensAt: event.registrationOpensAt && moved(event.registrationOpensAt),
    registrationClosesAt: event.registrationClosesAt && moved(event.registrationClosesAt),
    correctionsUntil: event.correctionsUntil && moved(event.correctionsUntil),
  }
}
