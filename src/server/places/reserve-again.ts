import type { RegistrationRow, Tx } from '../db/schema.ts'
import { freeSeats, takeSeat, takeVouchers } from './seat-queries.ts'

/** Takes the seat and the vouchers of a cancelled registration again; false when any of them is gone. The event must be locked. */
export async function reserveAgain(tx: Tx, { id, eventId }: RegistrationRow): Promise<boolean> {
  if (!(await takeSeat(tx, eventId))) return false
  if (await takeVouchers(tx, id)) return true
  await freeSeats(tx, eventId, 1)
  return false
}
