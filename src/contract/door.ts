import * as z from 'zod/mini'
import { checkin } from './checkins.ts'
import { api } from './endpoint.ts'
import { eventStatus } from './events.ts'
import { extrasPurchase } from './extras.ts'
import { redeemedUnits } from './redemptions.ts'
import { registrationStatus } from './registrations.ts'
import { id, idText, moment, requiredLine } from './values/fields.ts'

/** How many scans one call brings at the most. */
export const MOST_SCANS = 200
/** A phone that was without network for longer says this. */
export const LONGEST_AGO_MS = 30 * 24 * 60 * 60_000

/** A voucher as a phone keeps it. */
const doorVoucher = z.object({
  id,
  name: z.string(),
  /** As of a ticket. */
  hash: z.string(),
  short: z.string(),
  units: z.array(z.object({ name: z.string(), quantity: z.int(), redeemed: z.int() })),
})
export type DoorVoucher = z.output<typeof doorVoucher>

/** A ticket as a phone at the door keeps it: what it needs to decide, and nothing that would let anybody make a ticket. */
const doorTicket = z.object({
  /** The registration's. */
  id,
  name: z.string(),
  status: registrationStatus,
  /** Of the ticket's secret: see `hashedSecret`. */
  hash: z.string(),
  /** Of the short code: see `hashedStart`. */
  short: z.string(),
  /** When, by whom and on which phone they were let in; null while they are not in. */
  in: z.nullable(z.object({ at: moment, by: z.string(), device: z.nullable(z.string()) })),
  /** The answers to the questions that are shown at the door. */
  answers: z.array(z.object({ qId: id, answer: z.string() })),
  vouchers: z.array(doorVoucher),
})
export type DoorTicket = z.output<typeof doorTicket>

/** What the door needs to know of the event. */
const doorEvent = z.object({
  id,
  name: z.string(),
  location: z.string(),
  startsAt: moment,
  endsAt: moment,
  timeZone: z.string(),
  status: eventStatus,
})
export type DoorEvent = z.output<typeof doorEvent>

const doorList = z.object({
  /** Given back as `since`, it brings what has changed from here on; opaque. */
  cursor: z.string(),
  /** Whether this is the whole list; else only what has changed. */
  isFull: z.boolean(),
  /** The server's clock. */
  now: moment,
  event: doorEvent,
  /** The questions whose answers are shown at the door. */
  questions: z.array(z.object({ id, text: z.string() })),
  tickets: z.array(doorTicket),
  /** Tickets that are no more. */
  removed: z.array(id),
  /** How many tickets the whole list has, so that a phone knows that nothing is missing from its own. */
  count: z.int(),
  /** How many conflicts nobody has looked at yet. */
  conflicts: z.int(),
})
export type DoorList = z.output<typeof doorList>

/** The phone that speaks. */
export const device = z.strictObject({
  /** Chosen by the phone once. */
  id: requiredLine(40),
  /** What its people call it. */
  name: requiredLine(40, 'Give this phone a name.'),
})
export type Device = z.output<typeof device>

/**
 * What a phone did: let a ticket in by its code, let somebody in by hand, redeemed a voucher whose code it had judged (or that staff
 * chose), or took one of its own scans back.
 */
const act = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('code'), qrCodeData: requiredLine(1000, 'Enter a code.') }),
  z.strictObject({
    kind: z.literal('hand'),
    registrationId: id,
    /** SHA-256, in hex, of the code that was read, when the phone has forgotten the code since: it is still the same scan. */
    codeHash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'Expected a hash.'))),
  }),
  z.strictObject({
    kind: z.literal('redeem'),
    /** Whose voucher it is, by the phone's list. */
    registrationId: id,
    extrasPurchaseId: id,
    units: redeemedUnits,
  }),
  z.strictObject({ kind: z.literal('undo'), scanId: z.uuid('Expected a UUID.') }),
])

const queuedScan = z.strictObject({
  /** Chosen by the phone; the same one again is the same scan and gets its first answer. */
  scanId: z.uuid('Expected a UUID.'),
  act,
  /** How long ago it was by the phone's own reckoning, so that a wrong clock does no harm. */
  agoMs: z.int().check(z.nonnegative(), z.maximum(LONGEST_AGO_MS)),
  /** Whether the phone has let them in already. If they were not to come in, that is a conflict. */
  wasShownIn: z.boolean(),
})
export type QueuedScan = z.output<typeof queuedScan>

const scanAnswer = z.object({
  scanId: z.string(),
  /** Why not; null when it was done. */
  code: z.nullable(z.string()),
  /** The reason in words; empty when it was done. */
  msg: z.string(),
  registrationId: z.nullable(id),
  name: z.nullable(z.string()),
  /** The check-in as it was decided, also the first one of a ticket that was in already. */
  checkin: z.nullable(checkin),
  /** The voucher as it stands, where the scan was about one. */
  extrasPurchase: z.nullable(extrasPurchase),
})
export type ScanAnswer = z.output<typeof scanAnswer>

const passage = z.object({ at: moment, by: z.string(), device: z.nullable(z.string()) })

/** A ticket that a phone let in although it was not to come in. */
const conflict = z.object({
  scanId: z.string(),
  registrationId: id,
  /** Null when the registration has been removed. */
  name: z.nullable(z.string()),
  /** What was redeemed, of which voucher; null for a ticket. */
  voucher: z.nullable(z.string()),
  /** Why it was not to come in, as the code of a refusal. */
  code: z.string(),
  /** Who let them in, and where. */
  scan: passage,
  /** The check-in that was first; null when there was none. */
  first: z.nullable(passage),
  seenAt: z.nullable(moment),
  seenBy: z.nullable(z.string()),
})
export type Conflict = z.output<typeof conflict>

export const doorApi = api({
  getDoorList: {
    method: 'GET',
    path: '/api/checkin/getDoorList',
    access: { who: 'admin', event: 'eventId' },
    summary:
      "An event's tickets as a phone at the door keeps them: all, or what has changed `since` an earlier answer.",
    input: z.strictObject({ eventId: idText, since: z.optional(z.string().check(z.maxLength(200))) }),
    payload: doorList,
  },
  syncScans: {
    method: 'POST',
    path: '/api/checkin/syncScans',
    access: { who: 'admin', event: 'payload.eventId' },
    summary: 'What a phone did at the door, in its order. Each is answered; what came before gets its first answer.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        device,
        scans: z.array(queuedScan).check(z.minLength(1, 'Send at least one scan.'), z.maxLength(MOST_SCANS)),
      }),
    }),
    payload: z.object({ answers: z.array(scanAnswer) }),
  },
  getConflicts: {
    method: 'GET',
    path: '/api/checkin/getConflicts',
    access: { who: 'admin', event: 'eventId' },
    summary: 'Tickets that a phone without network let in although they were not to come in, latest first.',
    input: z.strictObject({ eventId: idText }),
    payload: z.array(conflict),
  },
  seeConflicts: {
    method: 'POST',
    path: '/api/checkin/seeConflicts',
    access: { who: 'admin', event: 'payload.eventId' },
    summary: 'Notes that somebody has looked into these conflicts.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        scanIds: z.array(z.uuid('Expected a UUID.')).check(z.minLength(1, 'Choose a conflict.'), z.maxLength(500)),
      }),
    }),
    payload: z.array(conflict),
  },
})
