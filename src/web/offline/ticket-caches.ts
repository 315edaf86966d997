/** The caches of tickets. The service worker updates both: see service-worker.ts. */
export const TICKETS = 'turnout-tickets'
/** Tickets that were opened while signed in. */
export const TICKETS_OF_STAFF = 'turnout-tickets-staff'

/** The caches that exist; opening another would create it. */
export async function ticketCaches(): Promise<Cache[]> {
  const found: Cache[] = []
  for (const name of [TICKETS, TICKETS_OF_STAFF]) if (await caches.has(name)) found.push(await caches.open(name))
  return found
}

/** Whether any ticket is stored on this device. */
export async function hasTickets(): Promise<boolean> {
  if (!('caches' in window)) return false
  for (const tickets of await ticketCaches()) if ((await tickets.keys()).length > 0) return true
  return false
}

/** Deletes the tickets that were opened while signed in; those that their holders opened stay. */
export async function deleteStaffTickets(): Promise<void> {
  if (!('caches' in window)) return
  await caches.delete(TICKETS_OF_STAFF)
  // An answer still in transit may be stored after this, so the service worker waits for it and deletes it.
  if ('serviceWorker' in navigator) navigator.serviceWorker.controller?.postMessage('signed out')
}
