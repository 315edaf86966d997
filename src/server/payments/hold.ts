const MINUTE = 60_000

/** A session may be paid this long. Stripe asks for half an hour from when it hears of it, so it is a little more than the hold. */
export const SESSION_MS = 35 * MINUTE
/** How often Stripe is asked about a session whose end it has not told. */
export const ASK_EVERY_MS = 2 * MINUTE
/** The longest gap between two tries at acting on something that Stripe told. */
export const LONGEST_EVENT_GAP_MS = 60 * MINUTE
/** The longest gap between two tries at a refund. */
export const LONGEST_REFUND_GAP_MS = 12 * 60 * MINUTE
/** The most that Stripe takes at once, in minor units. */
export const MOST_AMOUNT = 99_999_999
