import { Refusal } from '../../contract/errors.ts'
import type { PagePath } from '../../contract/page-paths.ts'
import { visitorVoucherApi } from '../../contract/redemptions.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { readId } from '../read-id.ts'
import { readTicketSearch } from '../registrations/ticket/ticket.ts'
import { decoded } from './decoded.ts'
import type { PageData, Read } from './page-data.ts'

interface Address {
  path: PagePath
  params: Readonly<Record<string, string>>
  search: URLSearchParams
}

/** Reads the data of a page whose address has the secret of a ticket or voucher. Such a page says itself that there is none. */
export async function readTicketPage(address: Address, read: Read): Promise<PageData> {
  try {
    return await readTicket(address, read)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return { page: 'no ticket' }
    throw error
  }
}

async function readTicket({ path, params, search }: Address, read: Read): Promise<PageData> {
  if (path === '/club/:clubId/event/:eventId/success') {
    const registrationId = readId(search.get('registration_id'))
    const ticket = await read(registrationApi.getRegistration, { registrationId, qrUuid: search.get('qrUuid') ?? '' })
    return { page: 'registered', ticket, sessionId: search.get('session_id') }
  }
  const [id, qrUuid] = [readId(params.id), decoded(params.qrUuid) ?? '']
  const { isVoucher, goesToBank } = readTicketSearch(search)
  if (isVoucher)
    return {
      page: 'voucher',
      voucher: await read(visitorVoucherApi.getVoucher, { extrasPurchaseId: id, qrUuid }),
    }
  const ticket = await read(registrationApi.getRegistration, { registrationId: id, qrUuid })
  return { page: 'ticket', ticket, goesToBank }
}
