import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { findTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import { freeSeats, hasPlaceOfType, takeSeat, takeVouchers } from './seat-queries.ts'

/** What of a cancelled registration somebody else has by now. */
export type Gone = 'seat' | 'ticket' | 'vouchers'

/** Takes the seat and the vouchers of a cancelled registration again; or returns what is gone of it. The event must be locked. */
export async function reserveAgain(tx: Tx, registration: RegistrationRow): Promise<Gone | null> {
  const { id, eventId } = registration
  // Counted once its status has changed.
  if (!(await hasPlaceOfType(tx, registration))) return 'ticket'
  if (!(await takeSeat(tx, eventId))) return 'seat'
  if (await takeVouchers(tx, id)) return null
  await freeSeats(tx, eventId, 1)
  return 'vouchers'
}

/** The refusal to take a registration's place again, which says what is gone. */
export async function refusalOfGone(tx: Tx, registration: RegistrationRow, gone: Gone): Promise<Refusal> {
  if (gone === 'vouchers') return new Refusal('SOLD_OUT', { msg: texts.vouchersGone })
  const type = gone === 'ticket' ? typeOf(await findTicketTypes(tx, registration.eventId), registration) : null
  const payload = { left: 0, ticketTypeId: type?.id ?? null }
  return new Refusal('SOLD_OUT', { payload, ...(type && { msg: () => texts.lastTicketGone({ name: type.name }) }) })
}
