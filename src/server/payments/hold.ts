const MINUTE = 60_000

/** How long a session may be paid. Stripe requires half an hour from when it gets the request, so it is a little more than the hold. */
export const SESSION_MS = 35 * MINUTE
/** How often Stripe is asked about a session whose end it has not reported. */
export const ASK_EVERY_MS = 2 * MINUTE
/** The longest gap between two tries at handling a Stripe event. */
export const LONGEST_EVENT_GAP_MS = 60 * MINUTE
/** The longest gap between two tries at a refund. */
export const LONGEST_REFUND_GAP_MS = 12 * 60 * MINUTE
/** The largest amount that Stripe accepts, in minor units. */
export const MOST_AMOUNT = 99_999_999
