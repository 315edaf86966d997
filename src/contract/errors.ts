/** Every refusal of the API: its code, its HTTP status and the sentence people read. */
export const refusals = {
  BAD_SIGNATURE: { status: 400, msg: 'The signature is not valid.' },
  NOT_READABLE: { status: 400, msg: 'The request could not be read.' },
  SIGN_IN_NEEDED: { status: 401, msg: 'Please sign in.' },
  WRONG_CREDENTIALS: { status: 401, msg: 'Incorrect email or password!' },
  NOT_ALLOWED: { status: 403, msg: 'You may not do this.' },
  SIGNUP_CLOSED: { status: 403, msg: 'New clubs are added by the operator here.' },
  XSRF: { status: 403, msg: 'Please reload the page and try again.' },
  NOT_FOUND: { status: 404, msg: 'We could not find that.' },
  ALREADY_REGISTERED: { status: 409, msg: 'This person is already registered with this e-mail address.' },
  EMAIL_LIMIT: { status: 409, msg: 'This e-mail address has as many places at this event as one address may have.' },
  VOUCHER_SOLD_OUT: { status: 409, msg: 'There are not enough of this voucher left.' },
  SOLD_OUT: { status: 409, msg: 'Sorry, the last place has just gone.' },
  REGISTRATION_NOT_OPEN: { status: 409, msg: 'Registration has not opened yet.' },
  REGISTRATION_CLOSED: { status: 409, msg: 'Registration is closed.' },
  EVENT_CANCELLED: { status: 409, msg: 'This event has been cancelled.' },
  EVENT_OVER: { status: 409, msg: 'This event is over.' },
  PAYMENTS_OFF: { status: 409, msg: 'Card payment is not set up, so an event with a price cannot be published.' },
  ALREADY_PAID: { status: 409, msg: 'This is paid already.' },
  NOT_PAID: { status: 409, msg: 'There is nothing to give back.' },
  REFUND_TOO_LARGE: { status: 409, msg: 'This is more than what is left of the payment.' },
  CAPACITY_BELOW_TAKEN: { status: 409, msg: 'More places are taken already than this capacity allows.' },
  ILLEGAL_TRANSITION: { status: 409, msg: 'The status cannot change in this way.' },
  EMAIL_TAKEN: { status: 409, msg: 'Somebody already signs in with this e-mail address.' },
  EDIT_CONFLICT: { status: 409, msg: 'Somebody else has changed this in the meantime.' },
  HAS_PAID: { status: 409, msg: 'There are paid registrations: refund them first.' },
  NO_EMAIL: { status: 409, msg: 'There is no e-mail address to send to.' },
  LINK_EXPIRED: { status: 409, msg: 'This link has run out or was used. Please ask for a new one.' },
  CORRECTIONS_CLOSED: { status: 409, msg: 'It is too late to correct this here. Please write to the club.' },
  ALREADY_CHECKED_IN: { status: 409, msg: 'This ticket is already checked in.' },
  ALREADY_REDEEMED: { status: 409, msg: 'This voucher is already redeemed.' },
  WRONG_EVENT: { status: 409, msg: 'This ticket is for another event.' },
  WRONG_SCANNER: { status: 409, msg: 'This is a voucher, not a ticket.' },
  TICKET_CANCELLED: { status: 409, msg: 'This ticket has been cancelled.' },
  TICKET_UNPAID: { status: 409, msg: 'This ticket has not been paid.' },
  TOO_LARGE: { status: 413, msg: 'This is too large to send.' },
  WRONG_MEDIA_TYPE: { status: 415, msg: 'Please send JSON.' },
  INVALID_INPUT: { status: 422, msg: 'Please check the marked fields.' },
  INVALID_QR: { status: 422, msg: 'This is not a Turnout code.' },
  IDEMPOTENCY_MISMATCH: { status: 422, msg: 'This key was already used for another registration.' },
  TOO_MANY_HOLDS: {
    status: 429,
    msg: 'Several unpaid places are held already from here. Please pay for those first, or wait until they are free again.',
  },
  PROOF_NEEDED: { status: 429, msg: 'Many people register from your network right now. Please try again in a minute.' },
  TOO_MANY_TRIES: { status: 429, msg: 'Too many tries. Please wait a little and try again.' },
  INTERNAL: { status: 500, msg: 'Something went wrong on our side.' },
  UNAVAILABLE: { status: 503, msg: 'Turnout is not available right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; msg: string }>

export type RefusalCode = keyof typeof refusals

export interface FieldError {
  /** Where in the input, for example `newRegistration.registrationData.email`. */
  path: string
  msg: string
}

interface RefusalDetails {
  fields?: readonly FieldError[]
  /** Details with which the client can explain it, such as who checked this ticket in first. */
  payload?: unknown
  /** A more specific sentence than the code's own. */
  msg?: string
  /** Seconds after which another try makes sense. */
  retryAfter?: number
  /** The answer's HTTP status, which may differ from the code's when a proxy wrote it. */
  status?: number
  cause?: unknown
}

/** A call refused on purpose. The server throws it; in the web, `call` throws it again. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly status: number
  readonly fields: readonly FieldError[]
  readonly payload: unknown
  readonly retryAfter: number | null

  constructor(code: RefusalCode, { fields = [], payload, msg, retryAfter, status, cause }: RefusalDetails = {}) {
    super(msg ?? refusals[code].msg, { cause })
    this.code = code
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
