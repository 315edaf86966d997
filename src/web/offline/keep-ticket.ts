import * as z from 'zod/mini'
import { readToken } from '../session/token.ts'
import { keepOffline } from './keep-offline.ts'
import { TICKETS, TICKETS_OF_STAFF, ticketCaches } from './ticket-caches.ts'

/** How long a ticket is stored here: until its event is over, or only while somebody is signed in; null when it is not stored. */
export type Kept = 'until it is over' | 'while signed in' | null

/** What a page that the server rendered was made of; see `PageToRender`. */
const pageData = z.object({
  answers: z.array(z.object({ status: z.number(), body: z.unknown() })),
  now: z.string(),
})

/** Stores a ticket and its page on this device. `url` is the call that returns the ticket. Returns how it is stored now. */
export async function keepTicket(url: string): Promise<Kept> {
  const ofPage = answerOfPage()
  if (!(await keepOffline('ticket'))) return null
  try {
    const token = readToken()
    const before = await storedHow(url, token)
    if (before && !(ofPage && (await isNewer(ofPage, url)))) return before
    // The page was loaded before a service worker could store its answer.
    const answer = ofPage ?? (await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {}))
    const isOfStaff = token !== null && before !== 'until it is over'
    // The session may have ended meanwhile, and with it what was opened in it.
    if (isOfStaff && readToken() !== token) return null
    if (answer.ok) await (await caches.open(isOfStaff ? TICKETS_OF_STAFF : TICKETS)).put(url, answer)
    // A refusal is read to its end, because an answer that nobody reads keeps its request open.
    else await answer.text()
    // Asks the browser not to delete it to free space. It may refuse.
    await navigator.storage?.persist?.().catch(() => false)
    return await storedHow(url, token)
  } catch {
    return null
  }
}

/** Deletes a stored ticket that is no longer true; it is stored again when it is next read. */
export async function dropTicket(url: string): Promise<void> {
  if (!('caches' in window)) return
  for (const tickets of await ticketCaches()) await tickets.delete(url, { ignoreVary: true })
}

/** The ticket's answer that the server rendered this page from; null if the browser rendered it. */
function answerOfPage(): Response | null {
  const text = document.getElementById('page-data')?.textContent
  const page = text ? pageData.safeParse(JSON.parse(text)).data : undefined
  const [answer] = page?.answers ?? []
  if (!page || answer?.status !== 200) return null
  const headers = { 'content-type': 'application/json', date: new Date(page.now).toUTCString() }
  return new Response(JSON.stringify(answer.body), { headers })
}

/** Whether an answer is newer than the one stored: a browser may restore a page from long ago. */
async function isNewer(answer: Response, url: string): Promise<boolean> {
  for (const cacheName of [TICKETS, TICKETS_OF_STAFF]) {
    const stored = await caches.match(url, { cacheName, ignoreVary: true })
    if (stored && dateOf(stored) >= dateOf(answer)) return false
  }
  return true
}

const dateOf = ({ headers }: Response) => Date.parse(headers.get('date') ?? '') || 0

async function storedHow(url: string, token: string | null): Promise<Kept> {
  if (await caches.match(url, { cacheName: TICKETS, ignoreVary: true })) return 'until it is over'
  if (token && (await caches.match(url, { cacheName: TICKETS_OF_STAFF, ignoreVary: true }))) return 'while signed in'
  return null
}
