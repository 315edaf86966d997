import { useEffect } from 'react'
import { forgetDraft, readUnpaid } from './draft.ts'

/**
 * Forgets what was typed in an event's form, once the ticket that it led to (of the registration or order with this id) is on the screen.
 * What belongs to another one that waits to be paid stays.
 */
export function useForgetDraft(eventId: number, id: number, isThere = true): void {
  useEffect(() => {
    const unpaid = readUnpaid(eventId)
    if (isThere && (unpaid === null || unpaid.id === id)) forgetDraft(eventId)
  }, [eventId, id, isThere])
}
