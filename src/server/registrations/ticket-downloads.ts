import { Readable } from 'node:stream'
import { Refusal, refusalForTicket } from '../../contract/errors.ts'
import type { HeldTicket } from '../access/held-ticket.ts'
import type { Deps } from '../deps.ts'
import { pdfForVisitor } from '../tickets/maker.ts'
import type { TicketFacts } from '../tickets/shown-on-pdf.ts'
import { calendarOf } from './calendar-of.ts'
import { ticketFacts } from './ticket-facts.ts'

/**
 * The ticket's PDF; not drawn when the connection closed before its turn. Refuses with TICKET_CANCELLED, TICKET_UNPAID, and with
 * UNAVAILABLE while too many wait.
 */
export async function ticketPdfFor(deps: Deps, ticket: HeldTicket, closed: AbortSignal) {
  const facts = await factsFor(deps, ticket)
  const { status } = facts.registration
  const invalid = refusalForTicket(status)
  if (invalid) throw new Refusal(invalid)
  const content = await pdfForVisitor([facts], deps.settings.baseUrl, closed)
  return { name: `ticket-${facts.registration.id}.pdf`, content: Readable.from([content]) }
}

/** The calendar file of a ticket's event. */
export async function calendarFileFor(deps: Deps, ticket: HeldTicket) {
  const facts = await factsFor(deps, ticket)
  const content = await calendarOf(deps, [facts])
  return { name: `event-${facts.event.id}.ics`, content: Readable.from([content]) }
}

async function factsFor({ db }: Deps, ticket: HeldTicket): Promise<TicketFacts> {
  const [facts] = await ticketFacts(db, [ticket])
  if (!facts) throw new Error('A ticket has no facts.')
  return facts
}
