import { deleteStaffTickets, hasTickets } from '../offline/ticket-caches.ts'
import { readToken } from '../session/token.ts'
import { reloadWhenGone } from './reload-when-gone.ts'

/** The setup that every page runs once. */
export function startUp(): void {
  reloadWhenGone()
  // Not awaited, and rarely needed. An answer that arrived as a session ended may have been stored after it.
  ;(readToken() === null ? deleteStaffTickets() : Promise.resolve())
    .then(hasTickets)
    .then(async (has) => has && (await import('../offline/delete-past-tickets.ts')).deletePastTickets())
    .catch(() => {})
}
