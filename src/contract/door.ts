import * as z from 'zod/mini'
import * as texts from '../texts/generated/doorInput.ts'
import * as fieldTexts from '../texts/generated/fields.ts'
import { givenVouchers, staffRegistrationData } from './attendees.ts'
import { checkin } from './checkins.ts'
import { doorWay } from './door-money.ts'
import { api } from './endpoint.ts'
import { eventStatus } from './event.ts'
import { extrasPurchase } from './extras.ts'
import { redeemedUnits } from './redemptions.ts'
import { answered, registration, registrationStatus } from './registrations.ts'
import { scanId } from './scan-id.ts'
import { id, idText, moment, requiredLine } from './values/fields.ts'

/** Maximum number of scans in one call. */
export const MOST_SCANS = 200
/** Upper limit of `agoMs`, also for a phone that was offline for longer. */
export const LONGEST_AGO_MS = 30 * 24 * 60 * 60_000

/** The largest amount that can be taken at once, minor unit. */
const MOST_TAKEN = 99_999_999

/** The number of a ticket or voucher at a server that the club has moved from, with the hashes that belong to it. */
const formerCode = z.object({ id, hash: z.string(), short: z.string() })

/** A voucher as a phone keeps it. */
const doorVoucher = z.object({
  id,
  name: z.string(),
  /** Hash of the secret, as for a ticket. */
  hash: z.string(),
  short: z.string(),
  /** Left out for one that was made here. */
  former: z.optional(z.array(formerCode)),
  units: z.array(z.object({ name: z.string(), quantity: z.int(), redeemed: z.int() })),
})
export type DoorVoucher = z.output<typeof doorVoucher>

/** A ticket as a phone at the door stores it: enough to decide a scan, but not to forge a ticket. */
const doorTicket = z.object({
  /** The registration's id. */
  id,
  name: z.string(),
  status: registrationStatus,
  /** What an unpaid ticket costs, with its vouchers; left out for other tickets, and in the lists of older versions. */
  due: z.optional(z.object({ amount: z.int(), currency: z.string() })),
  /** Hash of the ticket's secret: see `hashedSecret`. */
  hash: z.string(),
  /** Hash of the short code: see `hashedStart`. */
  short: z.string(),
  /** Left out for one that was made here. */
  former: z.optional(z.array(formerCode)),
  /** When they went out; left out while they are inside, and for whoever was not let in yet. */
  out: z.optional(moment),
  /** When, by whom and on which phone they were let in first; null before that. */
  in: z.nullable(z.object({ at: moment, by: z.string(), device: z.nullable(z.string()) })),
  /** Its ticket type, by its id in `ticketTypes`; left out where the event has only one, and in the lists of older versions. */
  typeId: z.optional(id),
  /** The order that it was made with; left out for somebody alone, and in the lists of older versions. */
  orderId: z.optional(id),
  /** The answers to the questions that are shown at the door. */
  answers: z.array(z.object({ qId: id, answer: z.string() })),
  vouchers: z.array(doorVoucher),
})
export type DoorTicket = z.output<typeof doorTicket>

/** The event's data that the door needs. */
const doorEvent = z.object({
  id,
  name: z.string(),
  location: z.string(),
  startsAt: moment,
  endsAt: moment,
  timeZone: z.string(),
  status: eventStatus,
  /** Whether people are scanned out too, and let in again. */
  allowsReentry: z._default(z.boolean(), false),
})
export type DoorEvent = z.output<typeof doorEvent>

/**
 * The places that a phone keeps for people without a ticket, so that it can add them without network: how many in all, how many of them
 * people have got as far as the phone has told, and how many it is to have in all.
 */
export const phoneQuota = z.object({
  /** Whether the event has a limit; without one, a phone can add anybody. */
  isLimited: z.boolean(),
  granted: z.int(),
  used: z.int(),
  /** Fewer than `granted` until the phone has confirmed that it keeps no more. */
  wanted: z.int(),
})
export type PhoneQuota = z.output<typeof phoneQuota>

const doorList = z.object({
  /** Opaque; sent back as `since`, it returns the changes from here on. */
  cursor: z.string(),
  /** Whether this is the whole list; otherwise only the changes. */
  isFull: z.boolean(),
  /** The server's clock. */
  now: moment,
  event: doorEvent,
  /** The questions whose answers are shown at the door. */
  questions: z.array(z.object({ id, text: z.string() })),
  /** The ticket types, where the event has or had several. */
  ticketTypes: z._default(z.array(z.object({ id, name: z.string() })), []),
  tickets: z.array(doorTicket),
  /** Ids of removed tickets. */
  removed: z.array(id),
  /** Number of tickets in the whole list, so that a phone knows whether its own is complete. */
  count: z.int(),
  /** How many conflicts nobody has looked at yet. */
  conflicts: z.int(),
  /** Only where the input names a phone, and whoever asks may add people. */
  walkIns: z.optional(phoneQuota),
})
export type DoorList = z.output<typeof doorList>

/** What a phone needs to name the event of a ticket that is of another event of the club. It has no names of people and no secrets. */
const otherTickets = z.object({
  /** The club's published events around this one, nearest first. */
  events: z.array(z.object({ name: z.string(), startsAt: moment, timeZone: z.string() })),
  /**
   * The tickets of these events and some that do not exist, in base64: four bytes for each, sorted. Of the SHA-256 of `hashedElsewhere`
   * they are the first three bytes, and the fourth XOR the position in `events`. So only whoever has a ticket's code learns its event.
   */
  marks: z.string(),
})
export type OtherTickets = z.output<typeof otherTickets>

/** The phone that makes the call. */
export const device = z.strictObject({
  /** Generated by the phone, once. */
  id: requiredLine(40),
  /** The name its users gave it. */
  name: requiredLine(40, texts.phoneNameNeeded),
})
export type Device = z.output<typeof device>

/** Whether they go in, which is what is meant when it is left out, or out. */
const direction = z.optional(z.enum(['in', 'out']))

/**
 * An action of a phone: it let a ticket in by its code, let somebody in by hand, redeemed a voucher whose code it had checked (or that
 * staff chose), took the money for an unpaid ticket and let its holder in, added and let in somebody without a ticket, or undid one of its
 * own scans.
 */
const act = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('code'),
    qrCodeData: requiredLine(1000, fieldTexts.codeNeeded),
    direction,
  }),
  z.strictObject({
    kind: z.literal('hand'),
    registrationId: id,
    /** SHA-256 of the scanned code, in hex, when the phone no longer has the code: it is still the same scan. */
    codeHash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: texts.hashExpected }))),
    direction,
  }),
  z.strictObject({
    kind: z.literal('redeem'),
    /** The registration that owns the voucher, according to the phone's list. */
    registrationId: id,
    extrasPurchaseId: id,
    units: redeemedUnits,
  }),
  z.strictObject({
    kind: z.literal('pay'),
    registrationId: id,
    way: doorWay,
    /** The amount taken, minor unit of `currency`: all that the phone's list says is to pay. */
    amount: z.int().check(z.positive(), z.maximum(MOST_TAKEN)),
    currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  }),
  z.strictObject({
    kind: z.literal('walk-in'),
    registrationData: staffRegistrationData,
    /** Left out, the first one. */
    ticketTypeId: z.optional(id),
    extrasIds: givenVouchers,
    /** The key of the same wish in `registration/save`, so that it adds nobody twice, whichever of the two arrives. */
    idempotencyKey: requiredLine(100),
  }),
  z.strictObject({ kind: z.literal('undo'), scanId }),
])

const queuedScan = z.strictObject({
  /** Generated by the phone; a repeated id is the same scan and gets its first answer. */
  scanId,
  act,
  /** How long ago it was, as measured by the phone, so that a wrong clock does no harm. */
  agoMs: z.int().check(z.nonnegative(), z.maximum(LONGEST_AGO_MS)),
  /** Whether the phone has let them in already. If the scan is refused, that is a conflict. */
  wasShownIn: z.boolean(),
})
export type QueuedScan = z.output<typeof queuedScan>

const scanAnswer = z.object({
  scanId: z.string(),
  /** Code of the refusal; null when the scan was accepted. */
  code: z.nullable(z.string()),
  /** The refusal in words; empty when the scan was accepted. */
  msg: z.string(),
  registrationId: z.nullable(id),
  name: z.nullable(z.string()),
  /** The check-in that was made, or the first one of a ticket that was checked in already. */
  checkin: z.nullable(checkin),
  /** The voucher's current state, if the scan was about one. */
  extrasPurchase: z.nullable(extrasPurchase),
})
export type ScanAnswer = z.output<typeof scanAnswer>

const passage = z.object({ at: moment, by: z.string(), device: z.nullable(z.string()) })

/** A ticket that a phone let in, or a voucher it gave out, although the server refuses it. */
const conflict = z.object({
  scanId: z.string(),
  /** Null for somebody who was added at the door and got no registration. */
  registrationId: z.nullable(id),
  /** Null when the registration has been removed. */
  name: z.nullable(z.string()),
  /** What was noted of somebody who was added at the door and got no registration; null for all others. */
  walkIn: z._default(
    z.nullable(
      z.object({
        email: z.string(),
        phone: z.string(),
        /** The answers, chosen ticket type and vouchers. */
        others: z.array(z.omit(answered, { question: true })),
        ticketTypeId: z.nullable(id),
        extrasIds: z.array(id),
      }),
    ),
    null,
  ),
  /** The voucher's name and the units redeemed; null for a ticket. */
  voucher: z.nullable(z.string()),
  /** Code of the refusal. */
  code: z.string(),
  /** When, by whom and on which phone they were let in. */
  scan: passage,
  /** The earlier check-in; null when there was none. */
  first: z.nullable(passage),
  /** The money that the phone took; null when it took none. */
  money: z._default(
    z.nullable(
      z.object({
        way: doorWay,
        amount: z.int(),
        currency: z.string(),
        /** Whether it counts as a payment of the registration; otherwise it is only named here. */
        isKept: z.boolean(),
      }),
    ),
    null,
  ),
  seenAt: z.nullable(moment),
  seenBy: z.nullable(z.string()),
  /** Whether the phone took back what it had done; then `seenBy` did so. */
  isTakenBack: z._default(z.boolean(), false),
})
export type Conflict = z.output<typeof conflict>

export const doorApi = api({
  getDoorList: {
    method: 'GET',
    path: '/api/checkin/getDoorList',
    access: { who: 'admin', event: 'eventId', needs: 'door' },
    summary:
      "An event's tickets as a phone at the door keeps them: all, or what has changed `since` an earlier answer.",
    input: z.strictObject({
      eventId: idText,
      since: z.optional(z.string().check(z.maxLength(200))),
      /** The phone's id, to be told the places that it keeps. */
      phone: z.optional(requiredLine(40)),
    }),
    payload: doorList,
  },
  getOtherTickets: {
    method: 'GET',
    path: '/api/checkin/getOtherTickets',
    access: { who: 'admin', event: 'eventId', needs: 'door' },
    summary:
      "What a phone without network needs to name the event of a ticket that is of another of the club's events: three days around this one.",
    input: z.strictObject({ eventId: idText }),
    payload: otherTickets,
  },
  getPaperList: {
    method: 'GET',
    path: '/api/checkin/getPaperList',
    access: { who: 'admin', event: 'eventId', needs: 'paper' },
    file: 'application/pdf',
    summary: 'Who has a place, by name, as PDF for a clipboard: with a box to tick, the short code and the vouchers.',
    input: z.strictObject({ eventId: idText }),
    payload: z.null(),
  },
  syncScans: {
    method: 'POST',
    path: '/api/checkin/syncScans',
    access: { who: 'admin', event: 'payload.eventId', needs: 'door', evenEnded: true },
    refuses: ['INVALID_QR'],
    summary: 'What a phone did at the door, in its order. Each is answered; what came before gets its first answer.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        device,
        scans: z.array(queuedScan).check(z.minLength(1, { error: texts.scanNeeded }), z.maxLength(MOST_SCANS)),
      }),
    }),
    payload: z.object({ answers: z.array(scanAnswer) }),
  },
  getConflicts: {
    method: 'GET',
    path: '/api/checkin/getConflicts',
    access: { who: 'admin', event: 'eventId', needs: 'read' },
    summary: 'Tickets that a phone without network let in although they were not to come in, latest first.',
    input: z.strictObject({ eventId: idText }),
    payload: z.array(conflict),
  },
  seeConflicts: {
    method: 'POST',
    path: '/api/checkin/seeConflicts',
    access: { who: 'admin', event: 'payload.eventId', needs: 'attendees' },
    summary: 'Notes that somebody has looked into these conflicts.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        scanIds: z.array(scanId).check(z.minLength(1, { error: texts.conflictNeeded }), z.maxLength(500)),
      }),
    }),
    payload: z.array(conflict),
  },
  addFromConflict: {
    method: 'POST',
    path: '/api/checkin/addFromConflict',
    access: { who: 'admin', event: 'payload.eventId', needs: 'attendees' },
    refuses: ['NOT_FOUND', 'ALREADY_REGISTERED', 'SOLD_OUT', 'VOUCHER_SOLD_OUT', 'EVENT_CANCELLED'],
    summary:
      'Add somebody whom a phone at the door had added and who got no registration: checked in as the phone noted it, and the conflict is done. Repeated, nobody is added twice.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        scanId,
        /** Left out, the first one. */
        ticketTypeId: z.optional(id),
        registrationData: staffRegistrationData,
        extrasIds: givenVouchers,
      }),
    }),
    payload: registration,
  },
})
