import { Refusal } from '../../../contract/errors.ts'
import * as texts from '../../../texts/generated/api.ts'
import type { ExtrasRow } from '../../db/schema.ts'

/** The vouchers of these ids (repeated for an id given twice), or the refusal of ids that are not on sale at the event. */
export function chooseExtras(
  ids: readonly number[],
  onSale: readonly ExtrasRow[],
  eventId: number,
  path: string,
): ExtrasRow[] | Refusal {
  const found = ids.map((id) => onSale.find((extras) => extras.id === id && extras.eventId === eventId))
  const fields = found.flatMap((extras, index) =>
    extras ? [] : [{ path: `${path}.${index}`, msg: texts.voucherNotOnSale }],
  )
  if (fields.length > 0) return new Refusal('INVALID_INPUT', { fields })
  return found.flatMap((extras) => extras ?? [])
}

export type Stock = ReturnType<typeof stockOf>

/** The remaining stock, counted down as vouchers are taken; it cannot change while the events' rows are locked. */
export function stockOf(onSale: readonly ExtrasRow[]) {
  const left = new Map(
    onSale.flatMap(({ id, maxQuantity, soldCount }) => (maxQuantity === null ? [] : [[id, maxQuantity - soldCount]])),
  )
  return {
    /** Whether the stock of any of them is limited. */
    isLimited: (wanted: readonly ExtrasRow[]) => wanted.some(({ id }) => left.has(id)),
    /** The refusal that names the first of which there is not enough; null when there is enough of all. */
    whyNot: (wanted: readonly ExtrasRow[]): Refusal | null => {
      const short = wanted.find(({ id }) => countOf(wanted, id) > (left.get(id) ?? Number.POSITIVE_INFINITY))
      if (!short) return null
      const count = Math.max(0, left.get(short.id) ?? 0)
      const msg = () => texts.voucherLeft({ voucher: short.name, count })
      return new Refusal('VOUCHER_SOLD_OUT', { msg, payload: { extrasId: short.id, left: count } })
    },
    take: (wanted: readonly ExtrasRow[]): void => {
      for (const { id } of wanted) {
        const count = left.get(id)
        if (count !== undefined) left.set(id, count - 1)
      }
    },
  }
}

function countOf(wanted: readonly ExtrasRow[], id: number): number {
  return wanted.filter((extras) => extras.id === id).length
}
