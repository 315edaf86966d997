import * as z from 'zod/mini'
import { moment } from '../../contract/fields.ts'
import { readSession } from '../api/session.ts'
import { keepOffline } from './keep-offline.ts'

/** The service worker brings both up to date: see service-worker.ts. */
const TICKETS = 'turnout-tickets'
const TICKETS_OF_STAFF = 'turnout-tickets-staff'
const DAY = 24 * 60 * 60_000
const kept = z.object({ payload: z.object({ event: z.object({ endsAt: moment }) }) })

/** How a ticket is kept: until its event is over, or only as long as somebody is signed in here; null when it is not. */
export type Kept = 'until it is over' | 'until sign-out' | null

/** Keeps a ticket's page and what it shows on this device. `url` is the call that answers the ticket. Answers what is true then. */
export async function keepTicket(url: string): Promise<Kept> {
  if (!(await keepOffline('ticket'))) return null
  try {
    await forgetOver()
    const before = await howKept(url)
    if (before) return before
    // What the page shows came before there was a service worker to keep it.
    const token = readSession()?.token
    const answer = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {})
    if (answer.ok) await (await caches.open(token ? TICKETS_OF_STAFF : TICKETS)).put(url, answer)
    // Asked so that the browser does not make room by throwing it away. It may say no.
    await navigator.storage?.persist?.().catch(() => false)
    return await howKept(url)
  } catch {
    return null
  }
}

async function howKept(url: string): Promise<Kept> {
  if (await caches.match(url, { cacheName: TICKETS, ignoreVary: true })) return 'until it is over'
  if (await caches.match(url, { cacheName: TICKETS_OF_STAFF, ignoreVary: true })) return 'until sign-out'
  return null
}

/** Tickets of events that are over are not kept any longer. */
async function forgetOver(): Promise<void> {
  for (const name of [TICKETS, TICKETS_OF_STAFF]) {
    const tickets = await caches.open(name)
    for (const request of await tickets.keys()) {
      const answer: unknown = await (await tickets.match(request))?.json().catch(() => null)
      const ticket = z.safeParse(kept, answer)
      if (!ticket.success || ticket.data.payload.event.endsAt.getTime() + DAY < Date.now())
        await tickets.delete(request)
    }
  }
}

/** Takes the tickets from this device that were opened by who signs out; those opened by nobody in particular stay. */
export async function forgetTickets(): Promise<void> {
  if ('caches' in window) await caches.delete(TICKETS_OF_STAFF)
}
