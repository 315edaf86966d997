import * as texts from '../texts/generated/refusals.ts'
import type { Message } from '../texts/language.ts'

/** Every refusal of the API: its code, its HTTP status and the sentence people read. */
export const refusals = {
  BAD_SIGNATURE: { status: 400, msg: texts.badSignature },
  NOT_READABLE: { status: 400, msg: texts.notReadable },
  SIGN_IN_NEEDED: { status: 401, msg: texts.signInNeeded },
  SECOND_FACTOR_NEEDED: { status: 401, msg: texts.secondFactorNeeded },
  WRONG_CREDENTIALS: { status: 401, msg: texts.wrongCredentials },
  CONFIRM_IDENTITY: { status: 403, msg: texts.confirmIdentity },
  SET_UP_SECOND_FACTOR: { status: 403, msg: texts.setUpSecondFactor },
  NOT_ALLOWED: { status: 403, msg: texts.notAllowed },
  NOT_FOR_TOKENS: { status: 403, msg: texts.notForTokens },
  IMPORTS_OFF: { status: 403, msg: texts.importsOff },
  SIGNUP_CLOSED: { status: 403, msg: texts.signupClosed },
  XSRF: { status: 403, msg: texts.xsrf },
  NOT_FOUND: { status: 404, msg: texts.notFound },
  ALREADY_REGISTERED: { status: 409, msg: texts.alreadyRegistered },
  EMAIL_LIMIT: { status: 409, msg: texts.emailLimit },
  VOUCHER_SOLD_OUT: { status: 409, msg: texts.voucherSoldOut },
  SOLD_OUT: { status: 409, msg: texts.soldOut },
  REGISTRATION_NOT_OPEN: { status: 409, msg: texts.registrationNotOpen },
  REGISTRATION_CLOSED: { status: 409, msg: texts.registrationClosed },
  EVENT_CANCELLED: { status: 409, msg: texts.eventCancelled },
  EVENT_OVER: { status: 409, msg: texts.eventOver },
  PAYMENTS_OFF: { status: 409, msg: texts.paymentsOff },
  CODE_NOT_VALID: { status: 409, msg: texts.codeNotValid },
  NOT_A_MEMBER: { status: 409, msg: texts.notAMember },
  ALREADY_PAID: { status: 409, msg: texts.alreadyPaid },
  PAID_TOGETHER: { status: 409, msg: texts.paidTogether },
  NOT_PAID: { status: 409, msg: texts.notPaid },
  REFUND_TOO_LARGE: { status: 409, msg: texts.refundTooLarge },
  CAPACITY_BELOW_TAKEN: { status: 409, msg: texts.capacityBelowTaken },
  ILLEGAL_TRANSITION: { status: 409, msg: texts.illegalTransition },
  CLUB_NOT_EMPTY: { status: 409, msg: texts.clubNotEmpty },
  IMPORT_NOT_STARTED: { status: 409, msg: texts.importNotStarted },
  EMAIL_TAKEN: { status: 409, msg: texts.emailTaken },
  LAST_OWNER: { status: 409, msg: texts.lastOwner },
  EDIT_CONFLICT: { status: 409, msg: texts.editConflict },
  TOO_MANY_TOKENS: { status: 409, msg: texts.tooManyTokens },
  HAS_PAID: { status: 409, msg: texts.hasPaid },
  NO_EMAIL: { status: 409, msg: texts.noEmail },
  LINK_EXPIRED: { status: 409, msg: texts.linkExpired },
  CORRECTIONS_CLOSED: { status: 409, msg: texts.correctionsClosed },
  HAND_ON_CLOSED: { status: 409, msg: texts.handOnClosed },
  ALREADY_CHECKED_IN: { status: 409, msg: texts.alreadyCheckedIn },
  ALREADY_REDEEMED: { status: 409, msg: texts.alreadyRedeemed },
  WRONG_EVENT: { status: 409, msg: texts.wrongEvent },
  WRONG_SCANNER: { status: 409, msg: texts.wrongScanner },
  NOT_INSIDE: { status: 409, msg: texts.notInside },
  TICKET_CANCELLED: { status: 409, msg: texts.ticketCancelled },
  TICKET_UNPAID: { status: 409, msg: texts.ticketUnpaid },
  TICKET_HANDED_ON: { status: 409, msg: texts.ticketHandedOn },
  TOO_LARGE: { status: 413, msg: texts.tooLarge },
  WRONG_MEDIA_TYPE: { status: 415, msg: texts.wrongMediaType },
  INVALID_INPUT: { status: 422, msg: texts.invalidInput },
  INVALID_QR: { status: 422, msg: texts.invalidQr },
  IDEMPOTENCY_MISMATCH: { status: 422, msg: texts.idempotencyMismatch },
  TOO_MANY_HOLDS: {
    status: 429,
    msg: texts.tooManyHolds,
  },
  PROOF_NEEDED: { status: 429, msg: texts.proofNeeded },
  TOO_MANY_TRIES: { status: 429, msg: texts.tooManyTries },
  INTERNAL: { status: 500, msg: texts.internal },
  UNAVAILABLE: { status: 503, msg: texts.unavailable },
} as const satisfies Record<string, { status: number; msg: Message }>

export type RefusalCode = keyof typeof refusals

export interface FieldError {
  /** Where in the input, for example `newRegistration.registrationData.email`. */
  path: string
  msg: Message
}

/** The wrong fields as on the wire, in the current language. */
export function formatFields(fields: readonly FieldError[]): { path: string; msg: string }[] {
  return fields.map(({ path, msg }) => ({ path, msg: msg() }))
}

interface RefusalDetails {
  fields?: readonly FieldError[]
  /** Details with which the client can explain it, such as who checked this ticket in first. */
  payload?: unknown
  /** A more specific sentence than the code's own. */
  msg?: Message
  /** Seconds after which another try makes sense. */
  retryAfter?: number
  /** The answer's HTTP status, which may differ from the code's when a proxy wrote it. */
  status?: number
  cause?: unknown
}

/**
 * A call refused on purpose. The server throws it; in the web, `call` throws it again. Its `message` is formatted when it is read, in the
 * language of whoever sees it, so it is lost when a refusal is cloned for a thread.
 */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly status: number
  readonly fields: readonly FieldError[]
  readonly payload: unknown
  readonly retryAfter: number | null
  /** Whether its message says more than its code. */
  readonly isSpecific: boolean

  constructor(code: RefusalCode, { fields = [], payload, msg, retryAfter, status, cause }: RefusalDetails = {}) {
    super(undefined, { cause })
    Object.defineProperty(this, 'message', { get: msg ?? refusals[code].msg, configurable: true })
    this.code = code
    this.isSpecific = msg !== undefined
    this.status = status ?? refusals[code].status
    this.fields = fields
    this.payload = payload
    this.retryAfter = retryAfter ?? null
  }
}

/**
 * Whether the server itself has refused the call, so that it had no effect. Otherwise it may have been carried out: there was no answer, or
 * one from something in between (a proxy, a hotel's sign-in page), whatever its status, or the server failed.
 */
export function isRefused(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code !== 'INTERNAL' && error.code !== 'UNAVAILABLE'
}

/** Refusals about the caller or the rate of calls: they say nothing about the request itself. */
const aboutCaller: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'SIGN_IN_NEEDED',
  'NOT_ALLOWED',
  'NOT_FOR_TOKENS',
  'SECOND_FACTOR_NEEDED',
  'CONFIRM_IDENTITY',
  'SET_UP_SECOND_FACTOR',
  'XSRF',
  'PROOF_NEEDED',
  'TOO_MANY_TRIES',
])

/** Whether the server has decided the request: repeating it gives the same result. */
export function isDecided(error: unknown): error is Refusal {
  return isRefused(error) && !aboutCaller.has(error.code)
}

/** Whether `code`, read from the wire, is one of ours. */
export function isRefusalCode(code: unknown): code is RefusalCode {
  return typeof code === 'string' && Object.hasOwn(refusals, code)
}

/** Why a ticket of this status is not valid; null for one that is. */
export function refusalForTicket(status: 'pending' | 'confirmed' | 'cancelled') {
  if (status === 'confirmed') return null
  return status === 'pending' ? 'TICKET_UNPAID' : 'TICKET_CANCELLED'
}
