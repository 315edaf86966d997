/** Where tickets are kept. The service worker brings both up to date: see service-worker.ts. */
export const TICKETS = 'turnout-tickets'
/** Those opened by somebody who was signed in. */
export const TICKETS_OF_STAFF = 'turnout-tickets-staff'

/** Those that are there: opening one makes it. */
export async function ticketCaches(): Promise<Cache[]> {
  const found: Cache[] = []
  for (const name of [TICKETS, TICKETS_OF_STAFF]) if (await caches.has(name)) found.push(await caches.open(name))
  return found
}

/** Whether this device keeps any ticket. */
export async function hasTickets(): Promise<boolean> {
  if (!('caches' in window)) return false
  for (const tickets of await ticketCaches()) if ((await tickets.keys()).length > 0) return true
  return false
}

/** Takes the tickets from this device that were opened by who was signed in; those opened by nobody in particular stay. */
export async function forgetTickets(): Promise<void> {
  if ('caches' in window) await caches.delete(TICKETS_OF_STAFF)
}
