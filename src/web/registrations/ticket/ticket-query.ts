import { ticketApi } from '../../../contract/tickets.ts'
import { query } from '../../api/query.ts'

/** Reads a ticket for its page, which says itself when there is none. */
export const ticketQuery = (holder: { registrationId: number; qrUuid: string }) =>
  query(ticketApi.getRegistration, holder, { saysMissing: true })
