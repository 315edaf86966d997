import { readToken } from '../api/token.ts'
import { keepOffline } from './keep-offline.ts'
import { TICKETS, TICKETS_OF_STAFF } from './ticket-caches.ts'

/** How a ticket is kept: until its event is over, or only as long as somebody is signed in here; null when it is not. */
export type Kept = 'until it is over' | 'while signed in' | null

/** Keeps a ticket's page and what it shows on this device. `url` is the call that answers the ticket. Answers what is true then. */
export async function keepTicket(url: string): Promise<Kept> {
  if (!(await keepOffline('ticket'))) return null
  try {
    const token = readToken()
    const before = await howKept(url, token)
    if (before) return before
    // What the page shows came before there was a service worker to keep it.
    const answer = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {})
    if (answer.ok) await (await caches.open(token ? TICKETS_OF_STAFF : TICKETS)).put(url, answer)
    // Asked so that the browser does not make room by throwing it away. It may say no.
    await navigator.storage?.persist?.().catch(() => false)
    return await howKept(url, token)
  } catch {
    return null
  }
}

async function howKept(url: string, token: string | null): Promise<Kept> {
  if (await caches.match(url, { cacheName: TICKETS, ignoreVary: true })) return 'until it is over'
  if (token && (await caches.match(url, { cacheName: TICKETS_OF_STAFF, ignoreVary: true }))) return 'while signed in'
  return null
}
