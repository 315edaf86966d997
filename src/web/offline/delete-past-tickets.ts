import * as z from 'zod/mini'
import { moment } from '../../contract/values/fields.ts'
import { noteServerTime, serverNow } from '../api/server-time.ts'
import { ticketCaches } from './ticket-caches.ts'

const DAY = 24 * 60 * 60_000
const stored = z.object({ payload: z.object({ event: z.object({ endsAt: moment }) }) })

/**
 * Deletes stored tickets of events that have been over for a day, by the server's clock, so none is deleted without network.
 */
export async function deletePastTickets(): Promise<void> {
  const { headers } = await fetch('/offline-files.json', { method: 'HEAD', cache: 'no-store' })
  noteServerTime(headers.get('date'))
  for (const tickets of await ticketCaches()) {
    for (const request of await tickets.keys()) {
      const answer: unknown = await (await tickets.match(request))?.json().catch(() => null)
      if (isPast(answer)) await tickets.delete(request)
    }
  }
}

/** Whether the ticket's event is long over; also true if the stored answer cannot be read. */
function isPast(answer: unknown): boolean {
  const ticket = z.safeParse(stored, answer)
  return !ticket.success || ticket.data.payload.event.endsAt.getTime() + DAY < serverNow().getTime()
}
