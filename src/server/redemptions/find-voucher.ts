import type { Payload } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import type { redemptionApi } from '../../contract/redemptions.ts'
import type { Language } from '../../texts/language.ts'
import type { HeldVoucher } from '../access/held-ticket.ts'
import type { Deps } from '../deps.ts'
import { findEvent } from '../records/event-queries.ts'
import { findRegistration } from '../records/registration-queries.ts'
import { toEvent, translationOf } from '../records/to-event.ts'
import { findPurchases } from '../records/voucher-queries.ts'

/** A voucher with all that its page shows. */
export async function voucherFor(
  { db }: Deps,
  voucher: HeldVoucher,
  language: Language,
): Promise<Payload<typeof redemptionApi.getVoucher>> {
  const [registration, event, purchases] = await Promise.all([
    findRegistration(db, voucher.registrationId),
    findEvent(db, voucher.eventId),
    findPurchases(db, [voucher.registrationId]),
  ])
  const extrasPurchase = purchases.find(({ id }) => id === voucher.id)
  // Handed on in the meantime, it has another code.
  if (!registration || !event || extrasPurchase?.qrUuid !== voucher.qrUuid) throw new Refusal('NOT_FOUND')
  const isCancelled = event.status === 'cancelled'
  return {
    extrasPurchase,
    event: { ...toEvent(event), translation: await translationOf(event, language) },
    holder: registration.name,
    isValid: !isCancelled && registration.status === 'confirmed',
    isUnpaid: !isCancelled && registration.status === 'pending',
  }
}
