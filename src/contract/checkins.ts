import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import { api } from './endpoint.ts'
import { registration } from './registrations.ts'
import { scanId } from './scan-id.ts'
import { id, moment, requiredLine } from './values/fields.ts'

export const checkin = z.object({
  id,
  registrationId: id,
  /** true: checked in. */
  status: z.boolean(),
  checkinTime: z.nullable(moment),
  /** Name of the staff member who let them in. */
  checkedInBy: z.nullable(z.string()),
  /** The phone that let them in, by its name; null when it was done elsewhere. */
  device: z.nullable(z.string()),
  /** Whether they have gone out since. */
  isOut: z._default(z.boolean(), false),
  /** When they last went out or came back; null when they have not since they were let in. */
  movedAt: z._default(z.nullable(moment), null),
})
export type Checkin = z.output<typeof checkin>

export const checkinApi = api({
  scanByRegistrationId: {
    method: 'POST',
    path: '/api/checkin/scanByRegistrationId',
    access: { who: 'admin', event: 'payload.eventId', needs: 'tickets' },
    refuses: [
      'INVALID_QR',
      'WRONG_EVENT',
      'WRONG_SCANNER',
      'TICKET_HANDED_ON',
      'TICKET_CANCELLED',
      'TICKET_UNPAID',
      'ALREADY_CHECKED_IN',
      'EVENT_CANCELLED',
    ],
    summary: 'Check a ticket in by its code. Exactly one scan wins; the same `scanId` again gets the first answer.',
    input: z.strictObject({
      payload: z.strictObject({
        /** The code's content: its address, `{"id":…,"qrUuid":"…"}`, or the short code printed below it. */
        qrCodeData: requiredLine(1000, fieldTexts.codeNeeded),
        eventId: id,
        scanId: z.optional(scanId),
        /** When the phone saw the code; only noted. */
        scannedAt: z.optional(moment),
        /** The phone's name, as its users call it. */
        device: z.optional(requiredLine(40)),
      }),
    }),
    payload: z.object({ registration, checkin }),
  },
  save: {
    method: 'POST',
    path: '/api/checkin/save',
    access: { who: 'admin', event: 'payload.eventId', needs: 'search' },
    refuses: ['TICKET_CANCELLED', 'TICKET_UNPAID', 'ALREADY_CHECKED_IN', 'EVENT_CANCELLED', 'ILLEGAL_TRANSITION'],
    summary: 'Let somebody in, or undo it, by hand.',
    input: z.strictObject({
      payload: z.strictObject({
        newCheckin: z.strictObject({ registrationId: id, status: z.boolean() }),
        eventId: id,
      }),
    }),
    payload: checkin,
    sentBack: { 'payload.newCheckin': checkin },
  },
})
