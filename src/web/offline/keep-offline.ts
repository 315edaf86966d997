import * as z from 'zod/mini'
import { moment } from '../../contract/fields.ts'

const FILES = 'turnout-files'
const SHELL = '/offline-shell'

/** The files that the build lists for each, see scripts/build.mjs. */
const lists = z.object({ ticket: z.array(z.string()), door: z.array(z.string()) })

/**
 * Keeps what a page needs on this device, so that it opens without network too. Answers whether that is so now; a browser
 * without service workers, or a page without TLS, keeps nothing.
 */
export async function keepOffline(what: 'ticket' | 'door'): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return false
  try {
    await navigator.serviceWorker.register('/service-worker.js')
    const [list, shell] = await Promise.all([fetch('/offline-files.json'), fetch(window.location.pathname)])
    const all = lists.parse(await list.json())
    const files = await caches.open(FILES)
    const kept = new Set((await files.keys()).map(({ url }) => new URL(url).pathname))
    // What this device kept before is brought up to date with it, or it would no longer open.
    const parts = (['ticket', 'door'] as const).filter((part) => part === what || kept.has(markOf(part)))
    const wanted = parts.flatMap((part) => all[part])
    await files.addAll([...new Set(wanted)].filter((file) => !kept.has(file)))
    await files.put(markOf(what), new Response('kept'))
    if (shell.ok) await files.put(SHELL, shell)
    // What an earlier version kept is not asked for any more.
    const known = new Set([...wanted, ...parts.map(markOf), SHELL])
    await Promise.all([...kept].filter((file) => !known.has(file)).map((file) => files.delete(file)))
    await forgetOver()
    await navigator.serviceWorker.ready
    return true
  } catch {
    // Without network nothing can be brought up to date; what was kept whole before still opens.
    return isKept(what).catch(() => false)
  }
}

async function isKept(what: 'ticket' | 'door'): Promise<boolean> {
  const files = await caches.open(FILES)
  return (await files.match(markOf(what))) !== undefined && (await files.match(SHELL)) !== undefined
}

/** Says in the cache that this is kept here. */
function markOf(part: 'ticket' | 'door'): string {
  return `/offline-kept-${part}`
}

const TICKETS = 'turnout-tickets'
const DAY = 24 * 60 * 60_000
const kept = z.object({ payload: z.object({ event: z.object({ endsAt: moment }) }) })

/** Tickets of events that are over are not kept any longer. */
async function forgetOver(): Promise<void> {
  const tickets = await caches.open(TICKETS)
  for (const request of await tickets.keys()) {
    const answer: unknown = await (await tickets.match(request))?.json().catch(() => null)
    const ticket = z.safeParse(kept, answer)
    if (!ticket.success || ticket.data.payload.event.endsAt.getTime() + DAY < Date.now()) await tickets.delete(request)
  }
}

/** Takes every ticket from this device. */
export async function forgetTickets(): Promise<void> {
  if ('caches' in window) await caches.delete(TICKETS)
}
