import type { Generated, JSONColumnType } from 'kysely'

interface ContentItem {
  name: string
  quantity: number
}

export interface ExtrasTable {
  id: Generated<number>
  eventId: number
  name: string
  description: string
  price: number
  content: JSONColumnType<ContentItem[]>
  maxQuantity: number | null
  /** Of live registrations, paid or held. */
  soldCount: Generated<number>
  position: number
  /** When staff took it off sale; those bought stay. */
  removedAt: Date | null
  version: Generated<number>
}

export interface ExtrasPurchaseTable {
  id: Generated<number>
  registrationId: number
  extrasId: number
  name: string
  price: number
  qrUuid: string
  /** Whether all of its units are redeemed. */
  status: Generated<boolean>
  scannedAt: Date | null
}

export interface PurchaseUnitTable {
  purchaseId: number
  position: number
  name: string
  quantity: number
  redeemed: Generated<number>
}

/** The vouchers that confirmed registrations have, by ticket type. Kept by triggers. */
export interface VoucherCountTable {
  extrasId: number
  /** 0 for the event's first one, where registrations name none. */
  ticketTypeId: number
  sold: Generated<number>
  /** Those of which all units are redeemed. */
  redeemed: Generated<number>
  /** The prices of those sold to registrations that had something to pay; in the currency's smallest unit. */
  amount: Generated<number>
}
