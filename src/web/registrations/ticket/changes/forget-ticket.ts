import type { Registration } from '../../../../contract/registrations.ts'
import { ticketApi } from '../../../../contract/tickets.ts'
import { toRequest } from '../../../../contract/wire.ts'
import { dropTicket } from '../../../offline/keep-ticket.ts'

/** Removes what this device has stored of a ticket that is void. */
export async function forgetTicket({ id, qrUuid }: Pick<Registration, 'id' | 'qrUuid'>): Promise<void> {
  await dropTicket(toRequest(ticketApi.getRegistration, { registrationId: id, qrUuid }).url).catch(() => {})
}
