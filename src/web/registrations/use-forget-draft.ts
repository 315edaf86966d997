import { useEffect } from 'react'
import { forgetDraft } from './draft.ts'

/** Forgets what was typed in an event's form: only with the ticket on the screen it is no longer needed. */
export function useForgetDraft(eventId: number, isThere = true): void {
  useEffect(() => {
    if (isThere) forgetDraft(eventId)
  }, [eventId, isThere])
}
