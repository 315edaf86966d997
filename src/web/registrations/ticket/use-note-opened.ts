import { useEffect } from 'react'
import { ticketApi } from '../../../contract/tickets.ts'
import { call } from '../../api/call.ts'

/** The id of the mail whose link was opened. */
function mailIdOfLink(): { mailId?: string } {
  const mailId = new URLSearchParams(window.location.hash.slice(1)).get('mail')
  return mailId !== null && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(mailId) ? { mailId } : {}
}

/** Records that the ticket was opened, so that the club knows that it has arrived. A failure is not worth showing. */
export function useNoteOpened(registrationId: number, qrUuid: string): void {
  useEffect(() => {
    const payload = { registrationId, qrUuid, ...mailIdOfLink() }
    call(ticketApi.noteOpened, { payload }, { background: true }).catch(() => {})
  }, [registrationId, qrUuid])
}
