import { newId } from '../new-id.ts'

const keys = new Map<string, string>()

/**
 * The idempotency key of a registration's next refund. It stays the same until a refund is answered or more has been refunded, even if
 * the dialog is closed in between, so that a refund whose answer was lost is not made twice. A refused refund does not use up the key.
 */
export function refundKey(registrationId: number, refunded: number): string {
  const key = keys.get(at(registrationId, refunded)) ?? newId()
  keys.set(at(registrationId, refunded), key)
  return key
}

/** Called when a refund was answered: the next one is new, even if the bank refuses this one and the refunded amount stays the same. */
export function forgetRefundKey(registrationId: number, refunded: number): void {
  keys.delete(at(registrationId, refunded))
}

function at(registrationId: number, refunded: number): string {
  return `${registrationId} ${refunded}`
}
