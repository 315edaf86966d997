import type { ExtrasPurchase } from '../../contract/extras.ts'
import { type Receipt, type ReceiptTable, receiptTable } from '../../contract/receipts.ts'
import type { ClubRow, EventRow, RegistrationRow } from '../db/schema.ts'

export interface TicketFacts {
  registration: RegistrationRow
  event: EventRow
  club: ClubRow
  /** The vouchers bought with it. */
  purchases: readonly ExtrasPurchase[]
  receipt: Receipt | null
}

/** The data of a ticket that the PDF shows, and nothing else: two tickets with equal data have the same PDF. */
export interface ShownTicket {
  registration: Pick<RegistrationRow, 'id' | 'qrUuid' | 'name' | 'others' | 'registrationTime'>
  event: Pick<EventRow, 'name' | 'location' | 'startsAt' | 'endsAt' | 'timeZone'>
  club: Pick<ClubRow, 'name' | 'location' | 'email' | 'website'>
  purchases: Pick<ExtrasPurchase, 'id' | 'qrUuid' | 'name' | 'content'>[]
  /** The payment; null for a free ticket. */
  paid: ReceiptTable | null
}

export interface ShownOnPdf {
  tickets: ShownTicket[]
  baseUrl: string
}

/** The data that the PDF of these tickets shows. */
export function shownOf(tickets: readonly TicketFacts[], baseUrl: string): ShownOnPdf {
  return { tickets: tickets.map(shownTicket), baseUrl }
}

function shownTicket({ registration, event, club, purchases, receipt }: TicketFacts): ShownTicket {
  const { id, qrUuid, name, others, registrationTime } = registration
  return {
    registration: { id, qrUuid, name, others, registrationTime },
    event: {
      name: event.name,
      location: event.location,
      startsAt: event.startsAt,
      endsAt: event.endsAt,
      timeZone: event.timeZone,
    },
    club: { name: club.name, location: club.location, email: club.email, website: club.website },
    purchases: purchases.map((purchase) => ({
      id: purchase.id,
      qrUuid: purchase.qrUuid,
      name: purchase.name,
      content: purchase.content.map((item) => ({ ...item, redeemed: 0 })),
    })),
    paid: receipt && receiptTable(receipt, event.timeZone),
  }
}
