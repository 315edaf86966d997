import { deleteStaffTickets, hasTickets } from '../offline/ticket-caches.ts'
import { readToken } from '../session/token.ts'
import { reloadWhenGone } from './reload-when-gone.ts'

let isStarted = false

/** The setup that every page runs once, even if hydration is tried again after a part could not be loaded. */
export function startUp(): void {
  if (isStarted) return
  isStarted = true
  reloadWhenGone()
  // Not awaited, and rarely needed. An answer that arrived as a session ended may have been stored after it.
  ;(readToken() === null ? deleteStaffTickets() : Promise.resolve())
    .then(hasTickets)
    .then(async (has) => has && (await import('../offline/delete-past-tickets.ts')).deletePastTickets())
    .catch(() => {})
}
