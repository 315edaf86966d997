import * as z from 'zod/mini'
import { device } from './door.ts'
import { api } from './endpoint.ts'
import { id, idText, moment } from './values/fields.ts'
import { practiceKinds } from './values/practice-codes.ts'
import { walkInQuota } from './walk-ins.ts'

/** How many phones of an event are remembered; of more, those that have not reported for longest are left out. */
export const MOST_BOARD_PHONES = 200
/** How often a phone reports when nothing changes, in ms. */
export const REPORT_EVERY_MS = 15_000
/** A phone that has not reported for so long counts as offline, in ms: three reports in a row are missing. */
export const SILENT_AFTER_MS = 45_000
/** The highest number that a report may hold, of scans and of seconds (30 days). */
export const MOST_SCANS_REPORTED = 100_000
export const LONGEST_REPORTED_S = 30 * 24 * 60 * 60

const count = z.int()
const scans = z.int().check(z.minimum(0), z.maximum(MOST_SCANS_REPORTED))
const seconds = z.int().check(z.minimum(0), z.maximum(LONGEST_REPORTED_S))

/** The state of a phone whose scanner is open, as it knows it. */
const phoneState = {
  /** How old its list is, in seconds; null without a list. */
  listAgeS: z.nullable(seconds),
  /** Whether the scanner opens and works without network. */
  worksOffline: z.boolean(),
  /** `seen`: the camera gives pictures. */
  camera: z.enum(['starting', 'seen', 'failed']),
  /** `blocked`: the browser plays none before the first touch. `off`: by choice. */
  sound: z.enum(['on', 'off', 'blocked']),
  /** Whether the scanner is on the screen: the screen is on, and no other app is in front. */
  isShown: z.boolean(),
  /** How many scans wait to be sent, and how many the server did not accept. */
  queued: scans,
  stuck: scans,
  /** How many codes were scanned since the scanner was opened, and in the last five minutes. */
  scans,
  recentScans: scans,
  /** How many of the recent ones came from a scanner that acts as a keyboard. Phones with an older version do not tell. */
  recentByScanner: z._default(scans, 0),
  /** In percent; null where the browser does not tell. */
  battery: z.nullable(z.int().check(z.minimum(0), z.maximum(100))),
  isCharging: z.boolean(),
  /** Whether practice is on, so that nobody is let in. */
  isPractising: z.boolean(),
  /** Which practice codes were scanned on this phone. */
  practised: z.array(z.enum(practiceKinds)).check(z.maxLength(practiceKinds.length)),
}

/** A phone with its latest report. */
const boardPhone = z.object({
  id: z.string(),
  /** Who is signed in on it. */
  helper: z.string(),
  /** Whether with a helper pass. */
  isPass: z.boolean(),
  /** Whether they may add people without a ticket. */
  mayAdd: z.boolean(),
  /** The phone's name at the door. */
  name: z.string(),
  /** What it was opened with, such as `Chrome` and `Android`; empty where the browser does not tell. */
  browser: z.string(),
  system: z.string(),
  reportedAt: moment,
  ...phoneState,
  /** When the latest practice code was scanned; null for none. */
  practisedAt: z.nullable(moment),
})
export type BoardPhone = z.output<typeof boardPhone>

const board = z.object({
  /** The server's clock. */
  now: moment,
  phones: z.array(boardPhone),
  /** Who is expected: confirmed and paid. How many of them are in, and how many others hold a seat but have not paid. */
  expected: count,
  inside: count,
  /** How many of those who are in have gone out since, where the door scans them. */
  outside: count,
  unpaid: count,
  /** Check-ins of the last ten minutes. */
  lately: count,
  /** Check-ins by five minutes, of the last hour; those in which nobody came are left out. */
  arrivals: z.array(z.object({ at: moment, checkins: count })),
  /** How many conflicts nobody has looked at yet. */
  conflicts: count,
  /** How many places are free (null for no limit), and those that phones keep for people without a ticket; null where there are none to keep. */
  walkIns: z.nullable(z.object({ free: z.nullable(count), quotas: z.array(walkInQuota) })),
})
export type Board = z.output<typeof board>

export const boardApi = api({
  getBoard: {
    method: 'GET',
    path: '/api/checkin/getBoard',
    access: { who: 'admin', event: 'eventId', needs: 'events' },
    summary: 'Which phones are at the door of an event and whether they are ready, and how many people have arrived.',
    input: z.strictObject({ eventId: idText }),
    payload: board,
  },
  reportPhone: {
    method: 'POST',
    path: '/api/checkin/reportPhone',
    access: { who: 'admin', event: 'payload.eventId', needs: 'door' },
    summary: 'The state of a phone at the door, for the board. It changes nothing else.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        device,
        ...phoneState,
        /** How long ago the latest practice code was scanned, in seconds; null for none. */
        practisedAgoS: z.nullable(seconds),
      }),
    }),
    payload: z.null(),
  },
})
