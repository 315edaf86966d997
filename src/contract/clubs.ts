import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import {
  currency,
  email,
  id,
  idText,
  line,
  moment,
  paragraph,
  phone,
  requiredLine,
  timeZone,
  version,
  website,
} from './values/fields.ts'

export const club = z.object({
  id,
  name: z.string(),
  location: z.string(),
  description: z.string(),
  /** File name of the logo; empty for none. */
  logo: z.string(),
  email: z.string(),
  /** Feeds the messaging-app contact link. */
  phone: z.string(),
  website: z.string(),
  /** ISO 4217 in lower case, the default of its events. */
  currency: z.string(),
  /** IANA name, the default of its events. */
  timeZone: z.string(),
  createdAt: moment,
  version,
})
export type Club = z.output<typeof club>

/** The fields a person fills in for a club. */
export const clubFields = z.strictObject({
  name: requiredLine(120, 'Enter the name of the club.'),
  location: line(200),
  description: paragraph(2000),
  email: z.union([email, z.literal('')], 'Enter an e-mail address like name@example.org.'),
  phone: z.union([phone, z.literal('')], 'Enter a phone number like +44 20 7946 0958.'),
  website,
  currency,
  timeZone,
})
export type ClubFields = z.output<typeof clubFields>

/** Defaults for a new club. */
export const newClub = {
  location: '',
  description: '',
  email: '',
  phone: '',
  website: '',
  currency: 'eur',
  timeZone: 'Europe/Berlin',
} as const satisfies Partial<ClubFields>

/** A club in the operator's list. */
const listedClub = z.extend(club, { eventCount: z.int(), adminCount: z.int(), registrationCount: z.int() })

const alertFields = {
  eventName: z.string(),
  /** Number of failed mails or refunds, disputed payments or unseen conflicts; 1 for the other kinds. */
  count: z.int(),
}
/** Something that needs attention from staff. */
const alert = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['mails failed', 'door conflicts', 'draft soon', 'event full', 'disputes']),
    eventId: id,
    ...alertFields,
  }),
  /** Stripe has refused them; the event is null when it was removed. */
  z.object({ kind: z.literal('refunds failed'), eventId: z.nullable(id), ...alertFields }),
])
export type Alert = z.output<typeof alert>

/** The calls of visitors' pages, which load none of the others. */
export const visitorClubApi = api({
  getClub: {
    method: 'GET',
    path: '/api/club/getClub',
    access: { who: 'visitor' },
    summary: 'One club, as its visitors see it.',
    input: z.strictObject({ clubId: idText }),
    payload: club,
  },
})

export const clubApi = api({
  ...visitorClubApi,
  getAllClubs: {
    method: 'GET',
    path: '/api/club/getAllClubs',
    access: { who: 'sudo' },
    summary: 'All clubs, newest first, with how many events, admins and registrations each has.',
    input: z.strictObject({}),
    payload: z.array(listedClub),
  },
  save: {
    method: 'POST',
    path: '/api/club/save',
    access: { who: 'sudo-or-admin', club: 'id', add: true },
    upload: { file: 'logo' },
    summary: 'The operator adds a club; the operator or its admin edits one.',
    /** On an edit a field left out stays as it is; with `version` it is refused when somebody saved in between. */
    input: z.strictObject({
      id: z.optional(id),
      ...z.partial(clubFields).shape,
      removeLogo: z.optional(z.boolean()),
      version: z.optional(version),
    }),
    payload: club,
    sentBack: { '': listedClub },
  },
  removeClub: {
    method: 'GET',
    path: '/api/club/removeClub',
    access: { who: 'sudo' },
    changes: true,
    summary: 'Remove a club with everything of it: admins, events, registrations, files.',
    input: z.strictObject({ clubId: idText }),
    payload: club,
  },
  getNeeds: {
    method: 'GET',
    path: '/api/club/getNeeds',
    access: { who: 'admin', club: 'clubId' },
    summary: 'What waits for somebody of the club.',
    input: z.strictObject({ clubId: idText }),
    payload: z.array(alert),
  },
})
