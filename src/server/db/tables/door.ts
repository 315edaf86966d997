import type { Generated, JSONColumnType } from 'kysely'
import type { BoardPhone } from '../../../contract/board.ts'
import type { DoorWay } from '../../../contract/door-money.ts'
import type { WalkInQuota } from '../../../contract/walk-ins.ts'

export interface CheckinTable {
  id: Generated<number>
  registrationId: number
  /** The event of the registration; the database fills it in when it is left out. */
  eventId: Generated<number>
  status: boolean
  checkinTime: Date | null
  checkedInBy: string | null
  /** The phone that let them in, by its name; null when it was done elsewhere. */
  device: string | null
  /** Whether they have gone out since, and when they last went out or came back; null before that. */
  isOut: Generated<boolean>
  movedAt: Generated<Date | null>
}

export interface ScanTable {
  scanId: string
  eventId: number
  /** SHA-256 of the code scanned, in hex. */
  codeHash: string
  /** The answer it got, to be given again. */
  outcome: JSONColumnType<ScanOutcome> | null
  scannedAt: Date | null
  receivedAt: Date
}

/** The outcome of a scan: let in, or refused with a code of the contract. */
export interface ScanOutcome {
  code: string | null
  registrationId: number | null
  checkin: {
    id: number
    status: boolean
    checkinTime: string | null
    checkedInBy: string | null
    /** Missing in outcomes from before phones had names. */
    device?: string | null
    /** Missing for whoever has not moved since they were let in. */
    isOut?: boolean
    movedAt?: string
  } | null
  /** Whether somebody who had been let in went out or came back with it, and when they had moved before. */
  moved?: { isOut: boolean; at: string; before: string | null }
  eventName: string | null
  /** The vouchers it was about. */
  purchaseIds?: number[]
  /** How many were checked in from the paper list at once. */
  fromPaper?: number
  /** Whether it was undone. */
  isUndone?: boolean
  /** The units redeemed of the voucher. */
  units?: { name: string; count: number }[]
  /** What was redeemed, for the answer. */
  redeemed?: { name: string; count: number }[]
  notRedeemed?: NotRedeemed
  /** The payment that was taken with it. */
  paymentId?: number
  /** Whether its registration was made with it. */
  isAdded?: boolean
  /** Of a payment: whether it was decided as one that the phone had shown as valid. */
  wasShownIn?: boolean
  /** The same as an English sentence, in outcomes from before answers were in several languages. */
  text?: string
}

/** Why nothing was redeemed: the voucher was used up at a time (ISO 8601), or less is left of a unit than wanted; empty if not known. */
export interface NotRedeemed {
  voucher?: string
  at?: string
  timeZone?: string
  unit?: string
  left?: number
}

/** Somebody who was added at the door without network, and got no registration. */
export interface WalkInPerson {
  name: string
  email: string
  phone: string
  /** Missing in conflicts from before they were stored. */
  others?: { qId: number; answer?: string | string[] | undefined }[]
  ticketTypeId?: number | null
  extrasIds?: number[]
}

/** An entry or redemption by a phone without network that the server refuses. */
export interface ScanConflictTable {
  scanId: string
  eventId: number
  /** The registration's id, which may be gone; null for somebody who was added and got no registration. */
  ticketId: number | null
  /** Who that is. */
  walkIn: JSONColumnType<WalkInPerson> | null
  /** The voucher's name and what was redeemed of it; null for a ticket. */
  voucher: string | null
  /** Code of the refusal, as in the contract. */
  code: string
  scannedAt: Date
  scannedBy: string
  device: string
  /** The earlier check-in, if there was one. */
  firstAt: Date | null
  firstBy: string | null
  firstDevice: string | null
  notedAt: Date
  /** The money that was taken with it. */
  takenAs: Generated<DoorWay | null>
  takenAmount: Generated<number | null>
  takenCurrency: Generated<string | null>
  isMoneyKept: Generated<boolean>
  /** Whether what led to it was taken back. */
  isTakenBack: Generated<boolean>
  seenAt: Date | null
  seenBy: string | null
}

/** Removed tickets, for the phones that still have them on their lists. */
export interface RemovedTicketTable {
  registrationId: number
  eventId: number
}

/** A phone at the door with its latest report. The columns that are not explained here are those of the contract. */
export interface DoorPhoneTable
  extends Pick<
      BoardPhone,
      'name' | 'browser' | 'system' | 'reportedAt' | 'listAgeS' | 'worksOffline' | 'camera' | 'sound'
    >,
    Pick<
      BoardPhone,
      'isShown' | 'queued' | 'stuck' | 'scans' | 'recentScans' | 'recentByScanner' | 'battery' | 'isCharging'
    >,
    Pick<BoardPhone, 'isPractising' | 'practised' | 'practisedAt'> {
  eventId: number
  /** The id that the phone made up for itself. */
  phoneId: string
  /** Who is signed in on it. */
  userId: number
}

/** The places that a phone at the door keeps for people without a ticket. The columns are those of the contract. */
export interface WalkInQuotaTable extends Omit<WalkInQuota, 'used'> {
  eventId: number
  used: Generated<number>
}
