import * as z from 'zod/mini'
import { moment } from '../../contract/values/fields.ts'
import { noteServerTime, serverNow } from '../api/server-time.ts'
import { readToken } from '../api/token.ts'
import { forgetTickets, ticketCaches } from './ticket-caches.ts'

const DAY = 24 * 60 * 60_000
const kept = z.object({ payload: z.object({ event: z.object({ endsAt: moment }) }) })

/**
 * The tickets of events that have been over for a day go, by the server's clock: without network none does. So do those opened by
 * somebody who is signed in no more: an answer that was under way as the session ended is kept behind its back.
 */
export async function forgetOver(): Promise<void> {
  if (readToken() === null) await forgetTickets()
  const { headers } = await fetch('/offline-files.json', { method: 'HEAD', cache: 'no-store' })
  noteServerTime(headers.get('date'))
  for (const tickets of await ticketCaches()) {
    for (const request of await tickets.keys()) {
      const answer: unknown = await (await tickets.match(request))?.json().catch(() => null)
      if (isOver(answer)) await tickets.delete(request)
    }
  }
}

/** What cannot be read is of no use to anybody. */
function isOver(answer: unknown): boolean {
  const ticket = z.safeParse(kept, answer)
  return !ticket.success || ticket.data.payload.event.endsAt.getTime() + DAY < serverNow().getTime()
}
