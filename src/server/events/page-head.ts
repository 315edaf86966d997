import { formatSpan } from '../../contract/dates.ts'
import { imageUrl } from '../../contract/images.ts'
import { findClub } from '../clubs/queries.ts'
import type { Deps } from '../deps.ts'
import { escapeHtml } from '../escape-html.ts'
import { findClubEvent } from './queries.ts'

const LONGEST = 200

/** What a link to a club's or an event's page shows elsewhere: title, a sentence, a picture. Empty for every other page. */
export async function pageHead({ db, settings }: Deps, path: string): Promise<string> {
  const [, clubId, eventId] = /^\/club\/([1-9]\d{0,8})\/event(?:\/([1-9]\d{0,8}))?\/?$/.exec(path) ?? []
  if (clubId === undefined) return ''
  const club = await findClub(db, Number(clubId))
  if (!club) return ''
  const url = `${settings.baseUrl}/club/${club.id}/event`
  if (eventId === undefined) {
    const picture = club.logo && settings.baseUrl + imageUrl('club-logo', club.logo)
    return tags({ title: club.name, text: club.description || `Events of ${club.name}`, picture, url })
  }
  const event = await findClubEvent(db, club.id, Number(eventId))
  if (!event || event.status === 'draft') return ''
  const when = formatSpan(event.startsAt, event.endsAt, event.timeZone)
  const text = [when, event.location, club.name].filter((part) => part !== '').join(' · ')
  const picture = settings.baseUrl + imageUrl('event-banner', event.banner)
  return tags({ title: event.name, text, picture, url: `${url}/${event.id}` })
}

interface Preview {
  title: string
  text: string
  /** Empty for none. */
  picture: string
  url: string
}

function tags({ title, text, picture, url }: Preview): string {
  const description = text.replace(/\s+/g, ' ').slice(0, LONGEST)
  const properties = [
    ['og:type', 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', url],
    ...(picture === '' ? [] : [['og:image', picture]]),
  ]
  return [
    `<title data-server>${escapeHtml(title)} | Turnout</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    ...properties.map(([name = '', content = '']) => `<meta property="${name}" content="${escapeHtml(content)}">`),
  ].join('')
}
