import { type Extras, MOST_VOUCHERS } from '../../contract/extras.ts'

/** The quantity of each voucher, by its id. */
export type Wanted = Readonly<Record<number, number>>

/** The name of the field for the quantity of a voucher. */
export const voucherName = (id: number) => `voucher-${id}`

/** The quantities as the call takes them: an id listed twice means two. Vouchers no longer on sale are left out. */
export function idsOf(extras: readonly Extras[], wanted: Wanted): number[] {
  return extras.flatMap(({ id }) => Array.from({ length: wanted[id] ?? 0 }, () => id))
}

/** The quantities in a form's values, which are given by field name. */
export function wantedIn(values: Readonly<Record<string, string[]>>): Wanted {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, [count = '']]) => {
      const id = /^voucher-(\d{1,9})$/.exec(name)?.[1]
      return id && /^\d{1,9}$/.test(count) ? [[id, Math.min(Number(count), MOST_VOUCHERS)]] : []
    }),
  )
}
