import { readToken } from '../session/token.ts'
import { keepOffline } from './keep-offline.ts'
import { TICKETS, TICKETS_OF_STAFF } from './ticket-caches.ts'

/** How long a ticket is stored here: until its event is over, or only while somebody is signed in; null when it is not stored. */
export type Kept = 'until it is over' | 'while signed in' | null

/** Stores a ticket and its page on this device. `url` is the call that returns the ticket. Returns how it is stored now. */
export async function keepTicket(url: string): Promise<Kept> {
  if (!(await keepOffline('ticket'))) return null
  try {
    const token = readToken()
    const before = await storedHow(url, token)
    // The call that read a ticket has also updated what is stored; a page that the server rendered made none.
    if (before && document.documentElement.dataset.rendered === undefined) return before
    const answer = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {})
    if (answer.ok)
      await (await caches.open(token && before !== 'until it is over' ? TICKETS_OF_STAFF : TICKETS)).put(url, answer)
    // A refusal is read to its end, because an answer that nobody reads keeps its request open.
    else await answer.text()
    // Asks the browser not to delete it to free space. It may refuse.
    await navigator.storage?.persist?.().catch(() => false)
    return await storedHow(url, token)
  } catch {
    return null
  }
}

async function storedHow(url: string, token: string | null): Promise<Kept> {
  if (await caches.match(url, { cacheName: TICKETS, ignoreVary: true })) return 'until it is over'
  if (token && (await caches.match(url, { cacheName: TICKETS_OF_STAFF, ignoreVary: true }))) return 'while signed in'
  return null
}
