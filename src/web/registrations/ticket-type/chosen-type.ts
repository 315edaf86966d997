import type { FormQuestion } from '../../../contract/forms.ts'
import { saleState, type TicketType, ticketsLeft } from '../../../contract/ticket-type.ts'

/** The value of the field where no ticket is chosen on purpose: the one that was is gone. */
export const NO_TICKET = 'none'

/** Whether the code in use does something for a ticket type. */
export const isHelped = ({ codePrice, access }: TicketType): boolean => codePrice !== null || access === 'code'

/** The ticket that the code in use is for, where it is for one alone that can be had. */
export function ticketOfCode(types: readonly TicketType[], now: Date): TicketType | undefined {
  const helped = types.filter((type) => isHelped(type) && whyNotToBeHad(type, now) === null)
  return helped.length === 1 ? helped[0] : undefined
}

/** Why a ticket type cannot be had at a moment; null when it can. */
export type NotToBeHad = 'not yet' | 'over' | 'sold out'

export function whyNotToBeHad(type: TicketType, now: Date): NotToBeHad | null {
  return saleState(type, now) ?? (ticketsLeft(type) === 0 ? 'sold out' : null)
}

/**
 * The ticket type that is chosen: the one named in the form, as long as it can be had, or the first that can be had by everybody, and by one
 * person alone if there is such a one, where none is named.
 * Another one never takes the place of a chosen one, because its price may differ. The only one is chosen whether or not it can be had.
 */
export function chosenType(types: readonly TicketType[], value: string | undefined, now: Date): TicketType | undefined {
  const named = value === undefined || value === '' ? undefined : value
  if (types.length === 1 && (named === undefined || named === String(types[0]?.id))) return types[0]
  const toBeHad = types.filter((type) => whyNotToBeHad(type, now) === null)
  if (named !== undefined) return toBeHad.find((type) => String(type.id) === named)
  const open = toBeHad.filter(({ access }) => access === 'public')
  return open.find(({ minPerOrder }) => minPerOrder <= 1) ?? open[0] ?? toBeHad[0]
}

/** Why no ticket can be had now, and when the next one can; null when there is one. */
export function noTicketNow(
  types: readonly TicketType[],
  now: Date,
): { why: NotToBeHad; opensAt: Date | null; closedAt: Date | null } | null {
  const reasons = types.map((type) => whyNotToBeHad(type, now))
  if (types.length === 0 || reasons.includes(null)) return null
  const openings = types.flatMap(({ saleOpensAt }) => (saleOpensAt && saleOpensAt > now ? [saleOpensAt.getTime()] : []))
  const ends = types.flatMap(({ saleClosesAt }) =>
    saleClosesAt && saleClosesAt <= now ? [saleClosesAt.getTime()] : [],
  )
  return {
    why: (['not yet', 'sold out'] as const).find((reason) => reasons.includes(reason)) ?? 'over',
    opensAt: openings.length > 0 ? new Date(Math.min(...openings)) : null,
    closedAt: ends.length > 0 ? new Date(Math.max(...ends)) : null,
  }
}

/** When the sale of each begins and ends. */
export function saleTimes(types: readonly TicketType[]): (Date | null)[] {
  return types.flatMap(({ saleOpensAt, saleClosesAt }) => [saleOpensAt, saleClosesAt])
}

/** The first of these moments that is still to come; null when there is none. */
export function nextChange(moments: readonly (Date | null)[], now: Date): Date | null {
  const ahead = moments.flatMap((moment) => (moment && moment > now ? [moment.getTime()] : []))
  return ahead.length > 0 ? new Date(Math.min(...ahead)) : null
}

/** The questions that are asked for some ticket on sale, with the names of those where it is not asked for all. */
export function withTickets<Q extends Pick<FormQuestion, 'ticketTypeIds'>>(
  questions: readonly Q[],
  types: readonly Pick<TicketType, 'id' | 'name'>[],
): (Q & { onlyFor: string[] })[] {
  return questions.flatMap((question) => {
    const { ticketTypeIds } = question
    const tickets = types.filter(({ id }) => ticketTypeIds.includes(id))
    if (ticketTypeIds.length > 0 && tickets.length === 0) return []
    return [{ ...question, onlyFor: tickets.length < types.length ? tickets.map(({ name }) => name) : [] }]
  })
}
