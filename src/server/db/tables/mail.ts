import type { Generated } from 'kysely'

export interface MailTable {
  id: Generated<number>
  /** Null for a mail to the operator. */
  clubId: number | null
  registrationId: number | null
  userId: number | null
  kind:
    | 'ticket'
    | 'event changed'
    | 'event cancelled'
    | 'registration cancelled'
    | 'place given back'
    | 'password reset'
    | 'email changed'
    | 'invitation'
    | 'second factor reset'
    | 'second factor on'
    | 'second factor off'
    | 'recovery codes made'
    | 'passkey added'
    | 'passkey removed'
    | 'code app added'
    | 'code app removed'
    | 'API token made'
    | 'refunded'
    | 'ticket handed on'
    | 'confirm address'
  /** The recipient, if it is not the person's current address. */
  recipient: string | null
  messageId: Generated<string>
  /** `held`: too many mails that strangers caused went to this address; sent when the address proves that it reads them. */
  status: Generated<'queued' | 'sent' | 'failed' | 'dropped' | 'held'>
  attempts: Generated<number>
  runAt: Date
  lockedUntil: Date | null
  /** When a worker last took it. */
  claimedAt: Date | null
  lastError: string | null
  createdAt: Date
  sentAt: Date | null
  /** The refund that it is about. */
  refundId: number | null
  /** The row whose mail includes this one. */
  leadId: number | null
  /** Caused by a visitor and not yet counted against the limit of its address. */
  isUnasked: Generated<boolean>
  /** How often the mail server refused it by policy while it took other mails. */
  policyRefusals: Generated<number>
  /** SHA-256 of the address of a held mail. */
  addressHash: Buffer | null
}

/** How many mails strangers' registrations sent to an address, which is stored as its SHA-256 only. */
export interface MailAddressTable {
  addressHash: Buffer
  dayStart: Date
  sent: number
  /** When a link contained only in a mail to this address was opened. */
  provenAt: Date | null
}

/** One row: whether the mail server refuses us, so that the queue is paused. */
export interface MailStateTable {
  id: Generated<boolean>
  reason: string | null
  since: Date | null
  pausedUntil: Date | null
  failures: Generated<number>
}
