import { Refusal } from '../../contract/errors.ts'
import type { Db, RegistrationRow } from '../db/schema.ts'
import { findSummaries } from '../payments/payment-queries.ts'
import { receiptOf } from '../payments/receipt.ts'
import { findClub } from '../records/club-queries.ts'
import { findEvent } from '../records/event-queries.ts'
import { inHoldersWords } from '../records/own-words.ts'
import { haveSameCodes } from '../records/registration-queries.ts'
import { readTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { findPurchases } from '../records/voucher-queries.ts'
import type { TicketFacts } from '../tickets/shown-on-pdf.ts'

/** What the PDF and the calendar show of these tickets of one event, in their order. */
export async function ticketFacts(db: Db, rows: readonly RegistrationRow[]): Promise<TicketFacts[]> {
  const [first] = rows
  if (!first) return []
  const ids = rows.map(({ id }) => id)
  const [event, club, types = [], bought, payments] = await Promise.all([
    findEvent(db, first.eventId),
    findClub(db, first.clubId),
    readTicketTypes(db, first.eventId),
    findPurchases(db, ids),
    findSummaries(db, ids),
  ])
  if (!event || !club) throw new Refusal('NOT_FOUND')
  if (bought.length > 0 && !(await haveSameCodes(db, rows))) throw new Refusal('TICKET_HANDED_ON')
  return rows.map((row) => {
    const registration = { ...row }
    const typeName = typeOf(types, registration)?.name ?? null
    const purchases = bought.filter(({ registrationId }) => registrationId === row.id)
    const facts = inHoldersWords({ registration, event, club, typeName, purchases })
    return {
      ...facts,
      receipt:
        row.handedOnAt === null
          ? receiptOf(row.amount, facts.purchases, payments.get(row.id) ?? null, facts.typeName)
          : null,
    }
  })
}
