import { Readable } from 'node:stream'
import { Refusal } from '../../contract/errors.ts'
import { paperColours } from '../../contract/values/colours.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { formatPrices } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/pdf.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Deps } from '../deps.ts'
import { readImage } from '../images/read-image.ts'
import { readClub } from '../records/shared-reads.ts'
import { posterForStaff } from '../tickets/maker.ts'
import type { ShownOnPoster } from '../tickets/poster-pdf.ts'
import { eventUrl } from './event-url.ts'

interface Wanted {
  size: 'A4' | 'A3'
  language: Language
}

/** The poster of a published event in this language. Refuses with NOT_FOUND for any other: its code would lead nowhere. */
export async function eventPoster(deps: Deps, event: OwnEvent, { size, language }: Wanted, closed: AbortSignal) {
  const { settings } = deps
  const club = await readClub(deps.db, event.clubId)
  if (!club || event.status !== 'published') throw new Refusal('NOT_FOUND')
  const logo = club.logo === '' ? null : await readImage(deps, { kind: 'club-logo', file: club.logo }).catch(() => null)
  const { name, startsAt, endsAt, timeZone, location } = event
  const shown = inLanguage(
    language,
    (): ShownOnPoster => ({
      ...{ size, name, location, clubName: club.name, logo, url: eventUrl(settings.baseUrl, event) },
      language,
      colours: paperColours(club.colour),
      title: texts.posterTitle({ event: name }),
      when: formatSpan(startsAt, endsAt, timeZone),
      price: formatPrices(event),
      invitation: texts.scanAndRegister(),
    }),
  )
  const content = await posterForStaff(shown, `club ${club.id}`, closed)
  return { name: `poster-${event.id}.pdf`, content: Readable.from([content]) }
}
