import * as z from 'zod/mini'
import * as texts from '../texts/generated/clubInput.ts'
import * as fieldTexts from '../texts/generated/fields.ts'
import { languages } from '../texts/generated/languages.ts'
import { club, visitorClubApi } from './club.ts'
import { api } from './endpoint.ts'
import { currency, language, timeZone, website } from './values/account-fields.ts'
import { email, id, idText, line, moment, paragraph, phone, requiredLine, version } from './values/fields.ts'
import { keepDays } from './values/keep-days.ts'

/** The fields a person fills in for a club. */
export const clubFields = z.strictObject({
  name: requiredLine(120, fieldTexts.clubNameNeeded),
  location: line(200),
  description: paragraph(2000),
  email: z.union([email, z.literal('')], { error: fieldTexts.emailLike }),
  phone,
  website,
  colour: z.union(
    [
      z.string().check(
        z.overwrite((text) => text.toLowerCase()),
        z.regex(/^#[\da-f]{6}$/),
      ),
      z.literal(''),
    ],
    { error: texts.colourLike },
  ),
  listed: z.boolean(),
  currency,
  timeZone,
  keepDays,
  language,
  languages: z.array(language).check(z.maxLength(100)),
  /** The description in other languages; an empty one is that of the main language. */
  descriptions: z.array(z.strictObject({ language, text: paragraph(2000) })).check(z.maxLength(100)),
})
export type ClubFields = z.output<typeof clubFields>

/** Defaults for a new club. */
export const newClub = {
  location: '',
  description: '',
  email: '',
  phone: '',
  website: '',
  colour: '',
  listed: false,
  currency: 'eur',
  timeZone: 'Europe/Berlin',
  keepDays: 180,
  language: languages[0],
  languages: [...languages],
  descriptions: [],
} as const satisfies Partial<ClubFields>

/** A club in the operator's list. */
const listedClub = z.object({
  ...club.shape,
  eventCount: z.int(),
  adminCount: z.int(),
  registrationCount: z.int(),
  /** The next published event; null when none is coming. */
  nextEvent: z._default(z.nullable(z.object({ name: z.string(), startsAt: moment })), null),
  /** Live registrations of the last 30 days. */
  recentCount: z._default(z.int(), 0),
  /** Mails that failed, with none sent since. */
  failedMailCount: z._default(z.int(), 0),
  /** How many alerts the club has, as in `getNeeds`. */
  needCount: z._default(z.int(), 0),
})

const alertFields = {
  /** Empty when the event was removed. */
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
    access: { who: 'sudo-or-admin', club: 'id', needs: 'club', add: true },
    refuses: ['EDIT_CONFLICT'],
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
  saveCover: {
    method: 'POST',
    path: '/api/club/saveCover',
    access: { who: 'sudo-or-admin', club: 'clubId', needs: 'club' },
    upload: { file: 'cover' },
    summary: "Replace or remove the picture at the top of a club's page.",
    input: z.strictObject({ clubId: id, removeCover: z.optional(z.boolean()) }),
    payload: club,
  },
  removeClub: {
    method: 'GET',
    path: '/api/club/removeClub',
    access: { who: 'sudo', fresh: true },
    refuses: ['NOT_FOUND', 'HAS_PAID'],
    changes: true,
    summary: 'Remove a club with everything of it: admins, events, registrations, files.',
    input: z.strictObject({ clubId: idText }),
    payload: club,
  },
  getNeeds: {
    method: 'GET',
    path: '/api/club/getNeeds',
    access: { who: 'admin', club: 'clubId', needs: 'read' },
    summary: 'What waits for somebody of the club.',
    input: z.strictObject({ clubId: idText }),
    payload: z.array(alert),
  },
})
