import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { id, idText, line, moment, version } from './values/fields.ts'

export const club = z.object({
  id,
  name: z.string(),
  location: z.string(),
  description: z.string(),
  /** File name of the logo; empty for none. */
  logo: z.string(),
  /** File name of the picture at the top of the club's page; empty for a drawn one. Like the next two, kept tickets may not have it yet. */
  cover: z._default(z.string(), ''),
  /** The colour of its pages as `#rrggbb`; empty for the product's. Where text needs more contrast, pages use a darker or lighter one. */
  colour: z._default(z.string(), ''),
  /** Whether visitors find it by its name on the start page. */
  listed: z._default(z.boolean(), false),
  email: z.string(),
  /** Feeds the messaging-app contact link. */
  phone: z.string(),
  website: z.string(),
  /** ISO 4217 in lower case, the default of its events. */
  currency: z.string(),
  /** IANA name, the default of its events. */
  timeZone: z.string(),
  /** The language that the club writes in. Tickets that a device stored earlier may lack this field and the next two. */
  language: z._default(z.string(), 'en'),
  /** The languages that its pages are offered in; the main one always is: see `offeredBy`. */
  languages: z._default(z.array(z.string()), ['en']),
  /** The description in other languages. */
  descriptions: z._default(z.array(z.object({ language: z.string(), text: z.string() })), []),
  /** How many days after an event personal data are deleted; 0: never. */
  keepDays: z._default(z.int(), 0),
  createdAt: moment,
  version,
})
export type Club = z.output<typeof club>

/** How many clubs one search finds. */
export const MOST_FOUND = 60

/** The calls of visitors' pages, which load none of the others. */
export const visitorClubApi = api({
  getClub: {
    method: 'GET',
    path: '/api/club/getClub',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary: 'One club, as its visitors see it.',
    input: z.strictObject({ clubId: idText }),
    payload: club,
  },
  findClubs: {
    method: 'GET',
    path: '/api/club/findClubs',
    access: { who: 'visitor' },
    summary: `The clubs that let visitors find them, by a part of their name or place, at most ${MOST_FOUND}.`,
    input: z.strictObject({ name: z._default(line(100), '') }),
    payload: z.array(z.object({ id, name: z.string(), location: z.string(), logo: z.string() })),
  },
})
