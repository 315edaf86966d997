import { Refusal } from '../../contract/errors.ts'
import { orderApi } from '../../contract/orders.ts'
import { visitorVoucherApi } from '../../contract/redemptions.ts'
import { ticketApi } from '../../contract/tickets.ts'
import { readId } from '../read-id.ts'
import { isNoTicket } from '../registrations/ticket/is-no-ticket.ts'
import { readTicketSearch } from '../registrations/ticket/ticket.ts'
import { whyNoTicket } from '../registrations/ticket/why-no-ticket.ts'
import { decoded } from './decoded.ts'
import type { PageAddress, PageData, Read } from './page-data.ts'

/** Reads the data of a page whose address has the secret of a ticket, voucher or order. Such a page says itself that there is none. */
export async function readTicketPage(address: PageAddress, read: Read): Promise<PageData> {
  try {
    return await readTicket(address, read)
  } catch (error) {
    // A link with something added or missing is no ticket either.
    const isNone = error instanceof Refusal && (isNoTicket(error) || error.code === 'INVALID_INPUT')
    if (isNone) return { page: 'no ticket', ...whyNoTicket(error) }
    throw error
  }
}

async function readTicket({ path, params, search }: PageAddress, read: Read): Promise<PageData> {
  if (path === '/club/:clubId/event/:eventId/success') {
    const registrationId = readId(search.get('registration_id'))
    const ticket = await read(ticketApi.getRegistration, { registrationId, qrUuid: search.get('qrUuid') ?? '' })
    return { page: 'registered', ticket, sessionId: search.get('session_id') }
  }
  if (path === '/order/:id/:secret') {
    const secret = decoded(params.secret) ?? ''
    const order = await read(orderApi.getOrder, { orderId: readId(params.id), secret })
    const { goesToBank } = readTicketSearch(search)
    return { page: 'order', ...order, sessionId: search.get('session_id'), isNew: search.has('new'), goesToBank }
  }
  const [id, qrUuid] = [readId(params.id), decoded(params.qrUuid) ?? '']
  const { isVoucher, goesToBank } = readTicketSearch(search)
  if (isVoucher)
    return {
      page: 'voucher',
      voucher: await read(visitorVoucherApi.getVoucher, { extrasPurchaseId: id, qrUuid }),
    }
  const ticket = await read(ticketApi.getRegistration, { registrationId: id, qrUuid })
  return { page: 'ticket', ticket, goesToBank }
}
