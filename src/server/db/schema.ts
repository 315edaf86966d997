import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely'
import type { Checkout } from '../../contract/payments.ts'

type Json<T> = ColumnType<T, string, string>

export interface UserTable {
  id: Generated<number>
  role: 'sudo' | 'admin'
  fullName: string
  email: string
  passwordHash: string
  image: Generated<string>
  clubId: number | null
  createdAt: Date
  version: Generated<number>
}

export interface SessionTable {
  /** SHA-256 of the token, in hex. */
  tokenHash: string
  userId: number
  createdAt: Date
  lastUsedAt: Date
}

/** How often something was done in a window of time; the key says what, hashed where it says who. */
export interface LimitCountTable {
  key: string
  endsAt: Date
  count: number
}

/** A secret that all servers of one database share. */
export interface ServerSecretTable {
  name: 'proof of work'
  value: string
}

/** A solved challenge, which counts once. */
export interface UsedProofTable {
  signature: string
  expiresAt: Date
}

/** Who holds a seat without having paid, as hashes. It counts while the registration is pending. */
export interface UnpaidHoldTable {
  registrationId: number
  emailHash: string
  networkHash: string | null
  /** The IPv6 network around it; null for IPv4. */
  wideNetworkHash: string | null
  expiresAt: Date
}

export interface SignInPlaceTable {
  userId: number
  addressHash: string
  lastUsedAt: Date
}

export interface ClubTable {
  id: Generated<number>
  name: string
  location: string
  description: string
  logo: Generated<string>
  email: string
  phone: string
  website: string
  currency: string
  timeZone: string
  createdAt: Date
  version: Generated<number>
  /** When it was removed; its rows go in the background. */
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
  ticketPrice: number
  currency: string
  banner: Generated<string>
  registrationOpensAt: Date | null
  registrationClosesAt: Date | null
  /** Until when who holds a ticket may correct it; null: until the start. */
  correctionsUntil: Date | null
  status: 'draft' | 'published' | 'cancelled'
  createdAt: Date
  version: Generated<number>
  /** When it was removed, alone or with its club; its rows go in the background. */
  removedAt: Date | null
}

/** An event's description as HTML. */
export interface EventDescriptionTable {
  eventId: number
  /** SHA-256 of the Markdown it was made of, in hex. */
  hash: string
  html: string
}

export interface FormQuestionTable {
  id: Generated<number>
  eventId: number
  typeId: number
  text: string
  required: boolean
  options: Json<string[]>
  position: number
  version: Generated<number>
  /** Whether the answer is shown to who stands at the door. */
  showAtDoor: Generated<boolean>
  /** When staff took it out of the form; its answers stay readable. */
  removedAt: Date | null
}

export interface Answer {
  qId: number
  question: string
  answer: string | string[]
}

export interface RegistrationTable {
  id: Generated<number>
  eventId: number
  clubId: number
  qrUuid: string
  name: string
  email: string
  phone: string
  others: Json<Answer[]>
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
  /** When who holds the ticket last opened its page. */
  openedAt: Date | null
  /** Why it is cancelled; null while it is not. */
  cancelReason: 'hold ended' | 'staff' | 'holder' | 'refund' | null
  /** How often name, phone, e-mail or answers were corrected. */
  version: Generated<number>
}

export interface ContentItem {
  name: string
  quantity: number
}

export interface ExtrasTable {
  id: Generated<number>
  eventId: number
  name: string
  description: string
  price: number
  content: Json<ContentItem[]>
  maxQuantity: number | null
  /** Of live registrations, paid or held. */
  soldCount: Generated<number>
  position: number
  /** When staff took it off sale; those bought stay. */
  removedAt: Date | null
  version: Generated<number>
}

export interface ExtrasPurchaseTable {
  id: Generated<number>
  registrationId: number
  extrasId: number
  name: string
  price: number
  qrUuid: string
  /** Whether all of its units are redeemed. */
  status: Generated<boolean>
  scannedAt: Date | null
}

export interface PurchaseUnitTable {
  purchaseId: number
  position: number
  name: string
  quantity: number
  redeemed: Generated<number>
}

export interface PaymentTable {
  id: Generated<number>
  /** The idempotency key with which its session is opened, and what the session's metadata says. */
  key: string
  /** Null, like the next two, when it was removed. */
  clubId: number | null
  eventId: number | null
  /** Null when the registration was removed. */
  registrationId: number | null
  isEmbedded: boolean
  /** What Stripe is asked for, kept until its answer is here: asked again in the same words it is the same session. */
  request: Json<unknown> | null
  sessionId: string | null
  status: 'starting' | 'open' | 'paid' | 'ended'
  amount: number
  currency: string
  /** What was given back or is queued to be. */
  refunded: Generated<number>
  paymentIntent: string | null
  /** Stripe's word for where a dispute stands. */
  dispute: string | null
  createdAt: Date
  expiresAt: Date
  paidAt: Date | null
  /** When Stripe is asked next what became of it; null when that is known. */
  askAt: Date | null
  lockedUntil: Date | null
  /** When the bank was last asked because a visitor wanted to know. */
  askedAt: Date | null
  /** The open session's way to pay. */
  way: Json<Checkout> | null
}

export interface RefundTable {
  id: Generated<number>
  /** The idempotency key with which Stripe is asked for it. */
  key: Generated<string>
  paymentId: number
  /** The key of the request that asked for it. */
  requestKey: string | null
  /** What that request asked for: 0 for all that is left; null where that was not kept. */
  requestAmount: number | null
  amount: number
  reason: 'too late' | 'staff' | 'cancelled' | 'event cancelled' | 'paid twice' | 'wrong amount' | 'at Stripe'
  status: Generated<'queued' | 'done' | 'failed'>
  stripeId: string | null
  attempts: Generated<number>
  /** How often Stripe itself refused it for a reason that may pass. */
  refusals: Generated<number>
  lastError: string | null
  runAt: Date
  lockedUntil: Date | null
  createdAt: Date
}

/** What one of Stripe's events says that matters here; nothing of who paid is kept. */
export type StripeFacts =
  | { kind: 'paid'; sessionId: string; key: string; paymentIntent: string; amount: number; currency: string }
  | { kind: 'ended'; sessionId: string }
  | { kind: 'refunded'; paymentIntent: string; amount: number }
  | { kind: 'refund failed'; refundId: string }
  | { kind: 'dispute'; paymentIntent: string; status: string }
  | { kind: 'other' }

export interface StripeEventTable {
  id: string
  body: Json<StripeFacts>
  receivedAt: Date
  attempts: Generated<number>
  /** When it is acted on, or tried again. */
  runAt: Date
  handledAt: Date | null
}

export interface CheckinTable {
  id: Generated<number>
  registrationId: number
  status: boolean
  checkinTime: Date | null
  checkedInBy: string | null
  /** The phone that let them in, by its name; null when it was done elsewhere. */
  device: string | null
}

export interface ScanTable {
  scanId: string
  eventId: number
  /** SHA-256 of the code scanned, in hex. */
  codeHash: string
  /** The answer it got, to be given again. */
  outcome: Json<ScanOutcome> | null
  scannedAt: Date | null
  receivedAt: Date
}

/** What a scan came to: let in, or refused with a code of the contract. */
export interface ScanOutcome {
  code: string | null
  registrationId: number | null
  checkin: {
    id: number
    status: boolean
    checkinTime: string | null
    checkedInBy: string | null
    /** Left out by outcomes of before phones had names. */
    device?: string | null
  } | null
  eventName: string | null
  /** The vouchers it was about. */
  purchaseIds?: number[]
  /** Whether it was taken back. */
  isUndone?: boolean
  /** What was redeemed of the voucher. */
  units?: { name: string; count: number }[]
  /** Why it was refused, where the code alone does not say; or what was done. */
  text?: string
}

/** What a phone without network let in although it was not to come in. */
export interface ScanConflictTable {
  scanId: string
  eventId: number
  /** The registration's id, which may be gone. */
  ticketId: number
  /** The voucher's name and what was redeemed of it; null for a ticket. */
  voucher: string | null
  /** Why it was not to come in: a code of the contract. */
  code: string
  scannedAt: Date
  scannedBy: string
  device: string
  /** The check-in that was first, where there was one. */
  firstAt: Date | null
  firstBy: string | null
  firstDevice: string | null
  notedAt: Date
  seenAt: Date | null
  seenBy: string | null
}

/** Tickets that are no more, for the phones that still have them on their lists. */
export interface RemovedTicketTable {
  registrationId: number
  eventId: number
}

export interface MailTable {
  id: Generated<number>
  /** Null for a mail to somebody as a user. */
  clubId: number | null
  registrationId: number | null
  userId: number | null
  kind:
    | 'ticket'
    | 'event changed'
    | 'event cancelled'
    | 'registration cancelled'
    | 'place given back'
    | 'password reset'
    | 'email changed'
    | 'refunded'
  /** Where it goes, when that is not the address the person has now. */
  recipient: string | null
  messageId: Generated<string>
  /** `held`: too many mails that strangers caused went to this address; sent when the address proves that it reads them. */
  status: Generated<'queued' | 'sent' | 'failed' | 'dropped' | 'held'>
  attempts: Generated<number>
  runAt: Date
  lockedUntil: Date | null
  /** When a worker last took it. */
  claimedAt: Date | null
  lastError: string | null
  createdAt: Date
  sentAt: Date | null
  /** The refund that it tells of. */
  refundId: number | null
  /** The row whose mail carries this one too. */
  leadId: number | null
  /** Caused by a visitor and not yet counted against the limit of its address. */
  isUnasked: Generated<boolean>
  /** How often the mail server refused it by policy while it took other mails. */
  policyRefusals: Generated<number>
  /** SHA-256 of the address of a held mail. */
  addressHash: Buffer | null
}

/** What strangers' registrations sent to an address, which is kept as its SHA-256 only. */
export interface MailAddressTable {
  addressHash: Buffer
  dayStart: Date
  sent: number
  /** When a link that only a mail to this address holds was opened. */
  provenAt: Date | null
}

/** One row: whether the mail server refuses us, so that the queue is paused. */
export interface MailStateTable {
  id: Generated<boolean>
  reason: string | null
  since: Date | null
  pausedUntil: Date | null
  failures: Generated<number>
}

export interface ChangeTable {
  id: Generated<number>
  at: Date
  clubId: number | null
  /** Null when a visitor or the server itself did it. */
  userId: number | null
  subject: 'registration' | 'checkin' | 'event' | 'club' | 'user' | 'form' | 'page' | 'extras'
  subjectId: number
  action: string
  before: Json<unknown> | null
  after: Json<unknown> | null
}

/** Work on a whole event or club, done in short transactions. The row goes when the work is finished. */
export interface JobTable {
  id: Generated<number>
  kind: 'call off event' | 'remove event' | 'remove club'
  eventId: number | null
  clubId: number | null
  /** The last registration that is done. */
  doneId: Generated<number>
  attempts: Generated<number>
  /** When its next step is due. */
  runAt: Date
  createdAt: Date
}

export interface PasswordResetTable {
  userId: number
  /** SHA-256 of the token in the link, in hex. */
  tokenHash: string
  expiresAt: Date
}

export interface PageTable {
  type: string
  body: string
  /** Null until it is rendered. */
  bodyHtml: string | null
  updatedAt: Date
}

/** One row: which installation this database belongs to. */
export interface InstallationTable {
  isOnly: Generated<boolean>
  id: Generated<string>
}

/** Image files that no row named when the sweep looked. */
export interface ImageOrphanTable {
  name: string
  firstSeenAt: Date
}

export interface Schema {
  users: UserTable
  sessions: SessionTable
  limitCounts: LimitCountTable
  serverSecrets: ServerSecretTable
  usedProofs: UsedProofTable
  unpaidHolds: UnpaidHoldTable
  signInPlaces: SignInPlaceTable
  clubs: ClubTable
  events: EventTable
  eventDescriptions: EventDescriptionTable
  formQuestions: FormQuestionTable
  registrations: RegistrationTable
  checkins: CheckinTable
  scans: ScanTable
  scanConflicts: ScanConflictTable
  removedTickets: RemovedTicketTable
  mails: MailTable
  mailAddresses: MailAddressTable
  mailState: MailStateTable
  changes: ChangeTable
  passwordResets: PasswordResetTable
  pages: PageTable
  extras: ExtrasTable
  extrasPurchases: ExtrasPurchaseTable
  purchaseUnits: PurchaseUnitTable
  payments: PaymentTable
  refunds: RefundTable
  stripeEvents: StripeEventTable
  installation: InstallationTable
  imageOrphans: ImageOrphanTable
  jobs: JobTable
}

export type Db = Kysely<Schema>
/** A function that takes this must run inside a transaction. */
export type Tx = Transaction<Schema>

export type UserRow = Selectable<UserTable>
export type ClubRow = Selectable<ClubTable>
export type EventRow = Selectable<EventTable>
export type FormQuestionRow = Selectable<FormQuestionTable>
export type RegistrationRow = Selectable<RegistrationTable>
export type CheckinRow = Selectable<CheckinTable>
export type ExtrasRow = Selectable<ExtrasTable>
export type PaymentRow = Selectable<PaymentTable>
export type RefundRow = Selectable<RefundTable>
export type ScanConflictRow = Selectable<ScanConflictTable>
export type MailRow = Selectable<MailTable>
export type JobRow = Selectable<JobTable>
