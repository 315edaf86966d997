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
