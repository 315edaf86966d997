import type { RegistrationRow, Tx } from '../db/schema.ts'
import { freeSeats, hasPlaceOfType, takeSeat, takeVouchers } from './seat-queries.ts'

/** Takes the seat and the vouchers of a cancelled registration again; false when any of them, or the last ticket of its type, is gone. The event must be locked. */
export async function reserveAgain(tx: Tx, registration: RegistrationRow): Promise<boolean> {
  const { id, eventId } = registration
  // Counted once its status has changed.
  if (!(await hasPlaceOfType(tx, registration))) return false
  if (!(await takeSeat(tx, eventId))) return false
  if (await takeVouchers(tx, id)) return true
  await freeSeats(tx, eventId, 1)
  return false
}
