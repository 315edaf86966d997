import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { CodeKind } from '../../../contract/codes.ts'
import type { CodesOfEvent } from '../../../contract/event.ts'
import type { PhoneField } from '../../../contract/phone-field.ts'
import type { TicketAccess } from '../../../contract/ticket-type.ts'

/** A JSON object that is empty unless something else is written. */
type Translated<T> = ColumnType<T, T | undefined, T>

export interface ClubTable {
  id: Generated<number>
  name: string
  location: string
  description: string
  logo: Generated<string>
  cover: Generated<string>
  colour: Generated<string>
  listed: Generated<boolean>
  email: string
  phone: string
  website: string
  currency: string
  timeZone: string
  /** The main language, in which its own words are written. */
  language: Generated<string>
  /** The languages that its pages are offered in; the main one is always among them, stated here or not. */
  languages: Generated<string[]>
  /** The description in other languages. */
  descriptions: ColumnType<{ language: string; text: string }[], string | undefined, string>
  createdAt: Date
  version: Generated<number>
  /** How many days after an event personal data are deleted; 0: never. */
  keepDays: Generated<number>
  /** Whether everybody in the team needs a second factor. */
  needsSecondFactor: Generated<boolean>
  /** Since when; null where nobody does. */
  secondFactorSince: ColumnType<Date | null, undefined, Date | null>
  /** When it was removed; its rows are deleted in the background. */
  removedAt: Date | null
}

export interface EventTable {
  id: Generated<number>
  clubId: number
  name: string
  description: string
  location: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  maxAttendees: number | null
  /** How many live registrations one e-mail address may have. */
  maxPerEmail: Generated<number>
  registrationCount: Generated<number>
  /** How many places phones at the door keep for people without a ticket. */
  walkInPlaces: Generated<number>
  /** The price of its ticket type; with several, the lowest. */
  ticketPrice: number
  /** The highest price of its ticket types. */
  ticketPriceTo: Generated<number>
  /** When its ticket types are sold, but for those sold out, unless all are; null for as long as registration is open. */
  ticketsOpenAt: Generated<Date | null>
  ticketsCloseAt: Generated<Date | null>
  /** Whether each of its ticket types is sold out. */
  ticketsGone: Generated<boolean>
  /** Whether there are codes, and whether some tickets need one. */
  codes: ColumnType<CodesOfEvent, CodesOfEvent | undefined, CodesOfEvent>
  currency: string
  banner: Generated<string>
  bannerRatio: Generated<number | null>
  registrationOpensAt: Date | null
  registrationClosesAt: Date | null
  /** Until when the ticket holder may correct it; null: until the start. */
  correctionsUntil: Date | null
  /** Whether ticket holders may hand their tickets on to somebody else. */
  allowsHandOn: Generated<boolean>
  /** Whether the door scans people out too, and lets them in again. */
  allowsReentry: Generated<boolean>
  /** Whether its form asks for a phone number. */
  phoneField: ColumnType<PhoneField, PhoneField | undefined, PhoneField>
  status: 'draft' | 'published' | 'cancelled'
  /** The same as the club's, for this event; null: as the club has it. */
  keepDays: number | null
  /** When all personal data of it were deleted. */
  /** From when its personal data may be deleted; null: not due soon. */
  eraseFrom: Date | null
  erasedAt: Date | null
  /** What the club wrote in other languages: by language, and by the text in the main one. */
  translations: Translated<Record<string, Record<string, string>>>
  /** By language and place (see `OwnText`), the text in the main language that stood there when it was last translated. */
  translatedPlaces: Translated<Record<string, Record<string, string>>>
  createdAt: Date
  version: Generated<number>
  /** Whether tickets or vouchers of it came from another installation and had other numbers there (`movedCodes`). */
  hasMovedCodes: Generated<boolean>
  /** When it was removed, alone or with its club; its rows are deleted in the background. */
  removedAt: Date | null
}

/** An event's description as HTML. */
export interface EventDescriptionTable {
  eventId: number
  /** Empty for the main one. */
  language: string
  /** SHA-256 of the Markdown it was made of, in hex. */
  hash: string
  html: string
}

/** Live registrations by ticket type and quarter of an hour, and their check-ins by five minutes. Kept by triggers. */
export interface EventCountTable {
  eventId: number
  at: Date
  /** 0 for the event's first one, where registrations name none. */
  ticketTypeId: Generated<number>
  registrations: Generated<number>
  checkins: Generated<number>
  /** What the confirmed ones had to pay, vouchers included; in the currency's smallest unit. */
  amount: Generated<number>
}

/** What an event sells: a ticket of this kind, at this price. */
export interface TicketTypeTable {
  id: Generated<number>
  eventId: number
  name: string
  description: Generated<string>
  price: number
  maxQuantity: number | null
  /** How many an order has of it, if it has any. */
  minPerOrder: Generated<number>
  maxPerOrder: number | null
  /** Of live registrations, paid or held. Kept by triggers. */
  soldCount: Generated<number>
  saleOpensAt: Date | null
  saleClosesAt: Date | null
  position: Generated<number>
  /** Who can buy it: everybody, or whoever has a code for it. */
  access: ColumnType<TicketAccess, TicketAccess | undefined, TicketAccess>
  /** How many of it a member may have, where it is for members. */
  maxPerMember: Generated<number>
  /** Whether registrations without a type are of it. */
  isFirst: Generated<boolean>
  /** When staff took it off sale. */
  removedAt: Date | null
  version: Generated<number>
}

/** The list of a club's members, of whom only hashes are kept. */
export interface MemberListTable {
  clubId: number
  /** The key of the hashes. Never leaves the server. */
  key: Buffer
  size: number
  uploadedAt: Date
}

/** A number or an address of a member. */
export interface ClubMemberTable {
  clubId: number
  /** HMAC-SHA-256 in hex. */
  hash: string
  /** The first hash of the same person. */
  member: string
}

/** A lower price for those who know it, which may also open tickets that others cannot buy. */
export interface CodeTable {
  id: Generated<number>
  eventId: number
  /** As staff wrote it. */
  code: string
  /** As it is compared: without case. */
  key: string
  kind: CodeKind
  /** Percent, or minor unit. */
  value: number
  /** The ticket types that it is for; empty for all. */
  ticketTypeIds: Generated<number[]>
  maxUses: number | null
  /** Live registrations with it, paid or held. Kept by triggers. */
  usedCount: Generated<number>
  opensAt: Date | null
  closesAt: Date | null
  note: Generated<string>
  createdAt: Date
  removedAt: Date | null
  version: Generated<number>
}

export interface FormQuestionTable {
  id: Generated<number>
  eventId: number
  typeId: number
  text: string
  required: boolean
  options: JSONColumnType<string[]>
  position: number
  version: Generated<number>
  /** Whether the answer is shown to staff at the door. */
  showAtDoor: Generated<boolean>
  /** The ticket types that it is asked for; empty for all. */
  ticketTypeIds: Generated<number[]>
  /** `order`: asked of whoever registers, once for all of them. */
  askedOf: Generated<'attendee' | 'order'>
  /** When staff took it out of the form; its answers stay readable. */
  removedAt: Date | null
}

/** How often those whose answers were deleted had chosen an option; null: how many had answered; empty: what is no option. */
export interface ErasedAnswerTable {
  questionId: number
  answer: string | null
  count: number
}

export interface Answer {
  qId: number
  question: string
  answer: string | string[]
}

/** Several registrations made together. One that was made alone has none. */
export interface OrderTable {
  /** That of its first registration, whose holder is the contact. */
  id: number
  eventId: number
  clubId: number
  /** UUIDv4, the secret of its page. */
  secret: string
  createdAt: Date
}

/** Who had a ticket before it was handed on, and with which code. */
export interface FormerHolderTable {
  registrationId: number
  qrUuid: string
  name: string
  email: string
  handedOnAt: Date
}

export interface RegistrationTable {
  id: Generated<number>
  eventId: number
  clubId: number
  qrUuid: string
  name: string
  email: string
  phone: string
  others: JSONColumnType<Answer[]>
  /** Name, e-mail and the phone's digits, folded for searching (`foldText`); it starts with the name, so it sorts by name too. */
  searchText: ColumnType<string, string | undefined, string>
  registrationTime: Date
  status: 'pending' | 'confirmed' | 'cancelled'
  holdExpiresAt: Date | null
  amount: number
  currency: string
  idempotencyKey: string | null
  /** SHA-256 of the body that came with the key, in hex. */
  fingerprint: string | null
  /** The language of whoever registered; null for the club's main one. */
  language: string | null
  /** When the ticket holder last opened its page. */
  openedAt: Date | null
  /** Why it is cancelled; null while it is not. */
  cancelReason: 'hold ended' | 'staff' | 'holder' | 'refund' | null
  /** When its personal data were deleted; name, address, phone and answers are empty since. */
  erasedAt: Date | null
  /** Its ticket type; null for the event's first one. */
  ticketTypeId: number | null
  /** The order that it was made with; null when it was made alone. */
  orderId: Generated<number | null>
  /** The code that made it cheaper, or without which its ticket cannot be bought; null for none. */
  codeId: Generated<number | null>
  /** What the code took off its price, in the minor unit. */
  discount: Generated<number>
  /** The member of the club who has it, as in `clubMembers`; null where the ticket is for everybody. */
  member: string | null
  /** How often name, phone, e-mail or answers were corrected. */
  version: Generated<number>
  /** When its holder gave it to somebody else, the last time. */
  handedOnAt: Generated<Date | null>
}
