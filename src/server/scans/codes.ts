import type { QrContent } from '../../contract/values/ticket-codes.ts'
import type { RegistrationRow } from '../db/schema.ts'

/** A code that was read or typed, or the attendee whom staff chose from the list. */
export type ScannedCode = QrContent | { kind: 'hand'; id: number }

/** Whether a code says that it is a voucher's. */
export function isVoucher({ kind }: ScannedCode): boolean {
  return kind === 'voucher' || kind === 'short voucher'
}

/** Whether a code holds the secret of this ticket or voucher, or the start of it; staff who choose from their list need none. */
export function isOf(code: ScannedCode, { qrUuid }: Pick<RegistrationRow, 'qrUuid'>): boolean {
  if ('qrUuid' in code) return qrUuid === code.qrUuid
  return 'qrStart' in code ? qrUuid.startsWith(code.qrStart) : true
}
