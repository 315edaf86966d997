import { Refusal } from '../../contract/errors.ts'
import { onSale, saleState } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'
import { isOpenWith } from '../codes/code-price.ts'
import { codeRefused } from '../codes/code-uses.ts'
import type { CodeRow, TicketTypeRow } from '../db/schema.ts'

interface Asked {
  /** Null for the first one that is on sale. */
  id: number | null
  /** Where the id stands in the input. */
  path: string
  /** When it is asked for; null for staff, for whom the times of sale do not count. */
  now: Date | null
  /** With which it is asked for; null for none. Staff need none. */
  code: Pick<CodeRow, 'ticketTypeIds'> | null
}

/**
 * The ticket type that somebody asks for among those of the event in their order, or why it cannot be had. Whether one is left is decided
 * with the seat.
 */
export function chooseTicketType(
  types: readonly TicketTypeRow[],
  { id, path, now, code }: Asked,
): TicketTypeRow | Refusal {
  const sold = types.filter((type) => type.removedAt === null && (now === null || isOpenWith(code, type)))
  const stateOf = (type: TicketTypeRow) => (now === null ? null : saleState(type, now))
  if (id === null) {
    const first =
      sold.find((type) => type.access === 'public' && stateOf(type) === null) ??
      sold.find((type) => stateOf(type) === null)
    if (first) return first
    if (sold.length === 0) return codeRefused(texts.ticketNeedsCode)
    return new Refusal(
      sold.some((type) => stateOf(type) === 'not yet') ? 'REGISTRATION_NOT_OPEN' : 'REGISTRATION_CLOSED',
    )
  }
  const type = sold.find((each) => each.id === id)
  if (!type && onSale(types).some((each) => each.id === id)) return codeRefused(texts.ticketNeedsCode)
  const state = type && stateOf(type)
  if (type && state === null) return type
  // Nothing else could be chosen.
  if (type && sold.length === 1)
    return new Refusal(state === 'not yet' ? 'REGISTRATION_NOT_OPEN' : 'REGISTRATION_CLOSED')
  return new Refusal('INVALID_INPUT', { fields: [{ path, msg: whyNot(type, state ?? null) }] })
}

function whyNot(type: TicketTypeRow | undefined, state: 'not yet' | 'over' | null): Message {
  if (!type) return texts.ticketNotOffered
  const { name } = type
  return state === 'not yet' ? () => texts.ticketNotYet({ name }) : () => texts.ticketNoLonger({ name })
}

/** The refusal when none of its places, or of the event's, is left. It names the type only where another one could be chosen. */
export function soldOut(
  outcome: 'sold out' | 'type sold out',
  { id, name }: Pick<TicketTypeRow, 'id' | 'name'>,
  isOnlyType: boolean,
): Refusal {
  return outcome === 'sold out' || isOnlyType
    ? new Refusal('SOLD_OUT', { payload: { left: 0, ticketTypeId: null } })
    : new Refusal('SOLD_OUT', { msg: () => texts.ticketSoldOut({ name }), payload: { left: 0, ticketTypeId: id } })
}
