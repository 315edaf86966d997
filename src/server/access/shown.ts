import type { ExtrasPurchase } from '../../contract/extras.ts'
import type { Registration } from '../../contract/registrations.ts'
import { type AdminCaller, may } from './caller.ts'

/** The registration as this person may see it: without `read` whose it is, without `attendees` no secret, with which it could be given back. */
export function shownRegistration(caller: AdminCaller, registration: Registration): Registration {
  const { registrationData } = registration
  return {
    ...registration,
    ...(!may(caller, 'attendees') && { qrUuid: '' }),
    ...(!may(caller, 'read') && { registrationData: { ...registrationData, email: '', phone: '', others: [] } }),
  }
}

/** The voucher as this person may see it: its secret is for those who may send tickets. */
export function shownVoucher<V extends ExtrasPurchase | null>(caller: AdminCaller, voucher: V): V {
  return voucher === null || may(caller, 'attendees') ? voucher : { ...voucher, qrUuid: '' }
}

interface Ticket {
  registration: Registration
  extras: ExtrasPurchase[]
}

/** A ticket with its vouchers as this person may see it. */
export function shownTicket<T extends Ticket>(caller: AdminCaller, ticket: T): T {
  if (may(caller, 'read') && may(caller, 'attendees')) return ticket
  return {
    ...ticket,
    registration: shownRegistration(caller, ticket.registration),
    extras: ticket.extras.map((each) => shownVoucher(caller, each)),
  }
}
