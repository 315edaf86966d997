import type { Delivery } from '../../contract/webhooks.ts'
import * as texts from '../../texts/generated/webhooks.ts'
import type { Message } from '../../texts/language.ts'

/** What each type of message tells. */
export const eventTexts: Readonly<Record<Delivery['type'], Message>> = {
  'registration.created': texts.newRegistrations,
  'registration.cancelled': texts.cancelledRegistrations,
  'ticket.checked_in': texts.checkIns,
  'payment.received': texts.payments,
  'payment.refunded': texts.refunds,
  'webhook.test': texts.test,
}
