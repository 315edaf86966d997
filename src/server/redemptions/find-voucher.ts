import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { redemptionApi } from '../../contract/redemptions.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../events/queries.ts'
import { toEvent } from '../events/to-event.ts'
import { findPurchases } from '../extras/queries.ts'
import { findRegistration } from '../registrations/queries.ts'
import { findVoucher } from './queries.ts'

/** A voucher with all that its page shows, for who holds its secret; for anyone else it is not there. */
export async function voucherFor(
  { db }: Deps,
  { extrasPurchaseId, qrUuid }: { extrasPurchaseId: number; qrUuid: string },
): Promise<Payload<typeof redemptionApi.getVoucher>> {
  const voucher = await findVoucher(db, { id: extrasPurchaseId, qrUuid: qrUuid.toLowerCase() })
  if (!voucher) throw new Refusal('NOT_FOUND')
  const [registration, event, purchases] = await Promise.all([
    findRegistration(db, voucher.registrationId),
    findEvent(db, voucher.eventId),
    findPurchases(db, [voucher.registrationId]),
  ])
  const extrasPurchase = purchases.find(({ id }) => id === extrasPurchaseId)
  if (!registration || !event || !extrasPurchase) throw new Refusal('NOT_FOUND')
  const isCancelled = event.status === 'cancelled'
  return {
    extrasPurchase,
    event: toEvent(event),
    holder: registration.name,
    isValid: !isCancelled && registration.status === 'confirmed',
    isUnpaid: !isCancelled && registration.status === 'pending',
  }
}
