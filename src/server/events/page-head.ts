import { opensAt } from '../../contract/event.ts'
import { canRegister } from '../../contract/event-state.ts'
import { sayIn } from '../../contract/own-words.ts'
import { pageAt } from '../../contract/page-paths.ts'
import { pageType } from '../../contract/pages.ts'
import { formatSpan } from '../../contract/values/dates.ts'
import { imageUrl } from '../../contract/values/images.ts'
import { offeredBy } from '../../contract/values/languages.ts'
import { plainAmount } from '../../contract/values/typed-amounts.ts'
import * as texts from '../../texts/generated/heads.ts'
import { inLanguage } from '../../texts/language.ts'
import type { ClubRow, EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { escapeHtml } from '../escape-html.ts'
import type { PageHeadOf } from '../http/pages/public-pages.ts'
import { findOrderOf } from '../records/order-queries.ts'
import { findHolder } from '../records/registration-queries.ts'
import { readClub, readEvent } from '../records/shared-reads.ts'
import { textsOf } from '../records/to-event.ts'
import { previewUrl } from './event-preview.ts'
import { clubUrl, eventUrl, inLanguageAt } from './event-url.ts'

const LONGEST = 200

/**
 * The HTML for link previews in the head of the page at this path; empty for most pages, null when there is no such page. A ticket with a
 * wrong secret counts as missing.
 */
export async function pageHead(deps: Deps, path: string, as: PageHeadOf): Promise<string | null> {
  const page = pageAt(path)
  if (!page) return null
  const { clubId, eventId, id, qrUuid = '', secret = '', type } = page.params
  switch (page.path) {
    case '/club/:clubId/event':
      return clubHead(deps, Number(clubId), as)
    case '/club/:clubId/event/:eventId':
    case '/club/:clubId/event/:eventId/success':
      return eventHead(deps, { clubId: Number(clubId), eventId: Number(eventId) }, as)
    case '/qr/:id/:qrUuid':
      return (await findHolder(deps.db, Number(id), qrUuid)) ? '' : null
    case '/order/:id/:secret':
      return (await findOrderOf(deps.db, Number(id), secret)) ? '' : null
    case '/page/:type':
    case '/page/:type/edit':
      return pageType.safeParse(type).success ? '' : null
    case '/not-found/:status?/:message?':
      return null
    default:
      // Pages of staff: strangers must not learn whether their objects exist.
      return ''
  }
}

async function clubHead({ db, settings }: Deps, clubId: number, as: PageHeadOf): Promise<string | null> {
  const club = await readClub(db, clubId)
  if (!club) return null
  const picture = club.logo && settings.baseUrl + imageUrl('club-logo', club.logo)
  const { language } = as
  const own = club.descriptions.find((each) => each.language === language)?.text || club.description
  const text = own || inLanguage(language, () => texts.eventsOf({ club: club.name }))
  return tags({ title: club.name, text, picture, url: clubUrl(settings.baseUrl, club.id), club, as })
}

async function eventHead(
  { db, settings, now }: Deps,
  { clubId, eventId }: { clubId: number; eventId: number },
  as: PageHeadOf,
): Promise<string | null> {
  const { language } = as
  const [club, event] = await Promise.all([readClub(db, clubId), readEvent(db, eventId)])
  if (!club || event?.clubId !== club.id || event.status === 'draft') return null
  const when = inLanguage(language, () => formatSpan(event.startsAt, event.endsAt, event.timeZone))
  const say = sayIn(textsOf(event.translations[language]))
  const translated = { ...event, name: say(event.name), description: say(event.description) }
  const text = [when, event.location, club.name].filter((part) => part !== '').join(' · ')
  const picture =
    settings.baseUrl +
    (event.banner === '' ? previewUrl(event, club, language) : imageUrl('event-banner', event.banner))
  const url = eventUrl(settings.baseUrl, event)
  return (
    tags({ title: translated.name, text, picture, url, club, as }) +
    linkedData(translated, {
      now: now(),
      club,
      url: addressAs(url, as),
      clubPage: clubUrl(settings.baseUrl, club.id),
      picture,
    })
  )
}

interface Linked {
  now: Date
  club: ClubRow
  url: string
  clubPage: string
  picture: string
}

/** The event for search engines (https://schema.org/Event), as a data block, which no content security policy concerns. */
function linkedData(event: EventRow, { now, club, url, clubPage, picture }: Linked): string {
  const isCancelled = event.status === 'cancelled'
  const opens = opensAt(event)
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.name,
    startDate: event.startsAt.toISOString(),
    endDate: event.endsAt.toISOString(),
    eventStatus: `https://schema.org/${isCancelled ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    ...(event.location !== '' && {
      location: { '@type': 'Place', name: event.location, address: event.location },
    }),
    image: [picture],
    description: event.description.slice(0, 5000),
    organizer: { '@type': 'Organization', name: club.name, url: clubPage },
    offers: {
      ...offeredAt(event),
      url,
      priceCurrency: event.currency.toUpperCase(),
      availability: `https://schema.org/${canRegister(event, now) ? 'InStock' : 'SoldOut'}`,
      ...(opens && { validFrom: opens.toISOString() }),
    },
  }
  // Within a script element, only `<` could end it.
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

/** One price, or from which price up to which. */
function offeredAt({ ticketPrice, ticketPriceTo, currency }: EventRow) {
  const price = plainAmount(ticketPrice, currency)
  return ticketPriceTo > ticketPrice
    ? { '@type': 'AggregateOffer', lowPrice: price, highPrice: plainAmount(ticketPriceTo, currency) }
    : { '@type': 'Offer', price }
}

interface Preview {
  title: string
  text: string
  /** Empty for none. */
  picture: string
  /** Its address without a language. */
  url: string
  club: ClubRow
  as: PageHeadOf
}

function tags({ title, text, picture, url, club, as }: Preview): string {
  const description = text.replace(/\s+/g, ' ').slice(0, LONGEST)
  const properties = [
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', addressAs(url, as)],
    ...(picture === '' ? [] : [['og:image', picture]]),
  ]
  return [
    `<title data-server>${escapeHtml(title)} | Turnout</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    addresses(url, club, as),
    ...properties.map(([name = '', content = '']) => `<meta property="${name}" content="${escapeHtml(content)}">`),
  ].join('')
}

/** The address of a page as it was asked for: without `?lang=` it is in the language of whoever asks. */
function addressAs(url: string, { language, isNamed }: PageHeadOf): string {
  return isNamed ? inLanguageAt(url, language) : url
}

/** The page's own address, and for search engines one for each language. */
function addresses(url: string, club: ClubRow, as: PageHeadOf): string {
  const offered = offeredBy(club)
  const canonical = `<link rel="canonical" href="${escapeHtml(addressAs(url, as))}">`
  if (offered.length === 1) return canonical
  const alternate = (code: string, address: string) =>
    `<link rel="alternate" hreflang="${code}" href="${escapeHtml(address)}">`
  return [
    canonical,
    ...offered.map((each) => alternate(each, inLanguageAt(url, each))),
    alternate('x-default', url),
  ].join('')
}
