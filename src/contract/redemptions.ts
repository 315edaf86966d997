import * as z from 'zod/mini'
import * as doorInputTexts from '../texts/generated/doorInput.ts'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { event } from './event.ts'
import { extrasPurchase } from './extras.ts'
import { registration } from './registrations.ts'
import { scanId } from './scan-id.ts'
import { allWithout, id, idText, line, moment, requiredLine } from './values/fields.ts'

/** Parts of a voucher's contents, and how many of each. */
export const redeemedUnits = z
  .array(
    z.strictObject({
      name: requiredLine(120),
      count: z
        .int()
        .check(z.minimum(1, { error: fieldTexts.oneOrMore }), z.maximum(100, { error: fieldTexts.atMost100 })),
    }),
  )
  .check(z.minLength(1, { error: doorInputTexts.chooseSomething }), z.maxLength(20))

/** The call of a voucher's own page. */
export const visitorVoucherApi = api({
  getVoucher: {
    method: 'GET',
    path: '/api/registration/getVoucher',
    access: { who: 'holder', voucher: 'extrasPurchaseId', to: 'read' },
    uncompressed: true,
    summary: 'A voucher as its page shows it.',
    input: z.strictObject({ extrasPurchaseId: idText, qrUuid: line(100) }),
    payload: z.object({
      extrasPurchase,
      event,
      /** The name on the ticket. */
      holder: z.string(),
      isValid: z.boolean(),
      /** It becomes valid with the payment of its registration. */
      isUnpaid: z.boolean(),
    }),
  },
})

export const redemptionApi = api({
  scanByExtrasPurchaseId: {
    method: 'POST',
    path: '/api/registration/scanByExtrasPurchaseId',
    access: { who: 'admin', event: 'payload.eventId', needs: 'redeem' },
    refuses: ['INVALID_QR', 'WRONG_EVENT', 'TICKET_CANCELLED', 'TICKET_UNPAID', 'ALREADY_REDEEMED', 'EVENT_CANCELLED'],
    summary:
      "Redeem a voucher by its code. A ticket's code answers with its vouchers, of which `extrasPurchaseIds` then names those to redeem.",
    input: z.strictObject({
      payload: z.strictObject({
        /** The code's content, see `checkin/scanByRegistrationId`. */
        qrCodeData: requiredLine(1000, fieldTexts.codeNeeded),
        eventId: id,
        scanId: z.optional(scanId),
        /** When the phone saw the code; only noted. */
        scannedAt: z.optional(moment),
        /** The units to redeem; without them all that are left. */
        units: allWithout(redeemedUnits),
        /** Which of a ticket's vouchers to redeem. */
        extrasPurchaseIds: z.optional(z.array(id).check(z.maxLength(100))),
      }),
    }),
    payload: z.object({
      registration,
      /** The voucher redeemed, or the first of them; null when a ticket's vouchers are only listed. */
      extrasPurchase: z.nullable(extrasPurchase),
      /** All vouchers of the registration. */
      extrasPurchases: z.array(extrasPurchase),
    }),
  },
  undoRedemption: {
    method: 'POST',
    path: '/api/registration/undoRedemption',
    access: { who: 'admin', event: 'payload.eventId', needs: 'redeem' },
    refuses: ['ILLEGAL_TRANSITION', 'TICKET_CANCELLED', 'TICKET_UNPAID'],
    summary: 'Take a redemption back: of these units, or of all.',
    input: z.strictObject({
      payload: z.strictObject({ extrasPurchaseId: id, eventId: id, units: allWithout(redeemedUnits) }),
    }),
    payload: extrasPurchase,
  },
  ...visitorVoucherApi,
})
