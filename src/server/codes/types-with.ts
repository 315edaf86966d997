import { onSale, type TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/api.ts'
import type { EventRow, TicketTypeRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isOfUse, isOpenWith, priceWith } from './code-price.ts'
import { codeRefused, unknownCode, whyNotUsable } from './code-uses.ts'
import { findCodes } from './queries.ts'

/**
 * The ticket types that a visitor can buy: with a code also those that it opens, and what each costs with it. Refuses with CODE_NOT_VALID
 * a code that there is not, that cannot be used now, or that does nothing for any of them.
 */
export async function typesWith(
  { db, now }: Deps,
  event: Pick<EventRow, 'id' | 'timeZone' | 'currency'>,
  types: readonly TicketTypeRow[],
  typed: string | undefined,
): Promise<TicketType[]> {
  const live = onSale(types)
  const toVisitor = (type: TicketTypeRow, codePrice: number | null) => ({ ...type, codePrice })
  if (typed === undefined) return live.filter((type) => isOpenWith(null, type)).map((type) => toVisitor(type, null))
  const [code] = await findCodes(db, [{ eventId: event.id, code: typed }])
  if (!code) throw unknownCode()
  const refusal = whyNotUsable(code, event, now())
  if (refusal) throw refusal
  const { currency } = event
  if (!live.some((type) => isOfUse(code, type, currency))) throw codeRefused(texts.codeOfNoUse)
  return live
    .filter((type) => isOpenWith(code, type))
    .map((type) => {
      const price = priceWith(code, type, currency)
      return toVisitor(type, price < type.price ? price : null)
    })
}
