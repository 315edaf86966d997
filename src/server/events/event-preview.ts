import { sayIn } from '../../contract/own-words.ts'
import { PRODUCT_COLOUR } from '../../contract/values/colours.ts'
import { coverOf, coverUrl } from '../../contract/values/covers.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { ClubRow, EventRow } from '../db/schema.ts'
import { textsOf } from '../records/to-event.ts'
import { keyOf } from '../tickets/pdf-cache.ts'
import type { ShownOnPreview } from '../tickets/preview-picture.ts'

/** What the link preview of an event without a banner shows in this language. */
export function shownOnPreview(event: EventRow, club: ClubRow, language: Language): ShownOnPreview {
  const { name, location, startsAt, endsAt, timeZone } = event
  const { seed = 0 } = coverOf(coverUrl(name, club.colour).slice('/cover/'.length)) ?? {}
  const when = inLanguage(language, () => formatSpan(startsAt, endsAt, timeZone))
  const lines = [when, location].filter((line) => line !== '')
  return {
    name: sayIn(textsOf(event.translations[language]))(name),
    clubName: club.name,
    lines,
    seed,
    colour: club.colour || PRODUCT_COLOUR,
  }
}

/** The picture's path. It changes with what the picture shows, because those who show previews keep pictures. */
export function previewUrl(event: EventRow, club: ClubRow, language: Language): string {
  const version = keyOf(shownOnPreview(event, club, language)).slice(0, 8)
  return `/preview/${event.id}-${language}.jpg?v=${encodeURIComponent(version)}`
}
