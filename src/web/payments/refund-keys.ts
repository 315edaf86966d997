import { newId } from '../new-id.ts'

const keys = new Map<string, string>()

/**
 * The key of the next refund of a registration. It stays the same until one is answered or more has been given back, also when the
 * dialog is closed in between: so a refund whose answer was lost is not made twice. A refused one uses up no key.
 */
export function refundKey(registrationId: number, refunded: number): string {
  const key = keys.get(at(registrationId, refunded)) ?? newId()
  keys.set(at(registrationId, refunded), key)
  return key
}

/** It is answered: the next is another one, even if the bank refuses this one and no more is given back than before. */
export function forgetRefundKey(registrationId: number, refunded: number): void {
  keys.delete(at(registrationId, refunded))
}

function at(registrationId: number, refunded: number): string {
  return `${registrationId} ${refunded}`
}
