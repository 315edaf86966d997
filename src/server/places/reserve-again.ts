import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { RegistrationRow, Tx } from '../db/schema.ts'
import { findTicketTypes, typeOf } from '../records/ticket-type-queries.ts'
import {
  findBeyondMember,
  findWithoutCode,
  findWithoutTicket,
  freeSeats,
  takeSeats,
  takeVouchers,
} from './seat-queries.ts'

/** What of cancelled registrations somebody else has by now. */
export interface Gone {
  what: 'seat' | 'ticket' | 'code' | 'member' | 'vouchers'
  /** One of those it is missing for. */
  registration: RegistrationRow
}

/**
 * Takes the seats and the vouchers of cancelled registrations of one event again, for all of them; or takes nothing and returns what is
 * gone. The event must be locked, and they must be made live in the same transaction.
 */
export async function reserveAgain(tx: Tx, registrations: readonly RegistrationRow[]): Promise<Gone | null> {
  const [first] = registrations
  if (!first) return null
  const ids = registrations.map(({ id }) => id)
  // Tickets of a type and uses of a code are counted once the status has changed.
  const short = await findWithoutTicket(tx, first.eventId, ids)
  const of = (id: number) => registrations.find((each) => each.id === id) ?? first
  if (short !== null) return { what: 'ticket', registration: of(short) }
  const withoutCode = registrations.some(({ codeId }) => codeId !== null) ? await findWithoutCode(tx, ids) : null
  if (withoutCode !== null) return { what: 'code', registration: of(withoutCode) }
  const beyond = registrations.some(({ member }) => member !== null)
    ? await findBeyondMember(tx, first.eventId, ids)
    : null
  if (beyond !== null) return { what: 'member', registration: of(beyond) }
  if (!(await takeSeats(tx, first.eventId, ids.length))) return { what: 'seat', registration: first }
  if (await takeVouchers(tx, ids)) return null
  await freeSeats(tx, first.eventId, ids.length)
  return { what: 'vouchers', registration: first }
}

/** The refusal to take the places of registrations again, which says what is gone. */
export async function refusalOfGone(tx: Tx, { what, registration }: Gone): Promise<Refusal> {
  if (what === 'code') return new Refusal('SOLD_OUT', { msg: texts.codeUsedUpMeanwhile })
  if (what === 'member') return new Refusal('SOLD_OUT', { msg: texts.memberHasOther })
  if (what === 'vouchers') return new Refusal('SOLD_OUT', { msg: texts.vouchersGone })
  const type = what === 'ticket' ? typeOf(await findTicketTypes(tx, registration.eventId), registration) : null
  const payload = { left: 0, ticketTypeId: type?.id ?? null }
  return new Refusal('SOLD_OUT', { payload, ...(type && { msg: () => texts.lastTicketGone({ name: type.name }) }) })
}
