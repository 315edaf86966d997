import { useEffect, useState } from 'react'
import { ticketApi } from '../../../contract/tickets.ts'
import { toRequest } from '../../../contract/wire.ts'
import { type Kept, keepTicket } from '../../offline/keep-ticket.ts'

/**
 * Stores the page and its ticket on this device. Returns how it is stored. It does not wait for the ticket's data: if the stored
 * version is too old to read them, this is how it gets a newer version.
 */
export function useKept(registrationId: number, qrUuid: string): Kept {
  const [kept, setKept] = useState<Kept>(null)
  useEffect(() => {
    void keepTicket(toRequest(ticketApi.getRegistration, { registrationId, qrUuid }).url).then(setKept)
  }, [registrationId, qrUuid])
  return kept
}
