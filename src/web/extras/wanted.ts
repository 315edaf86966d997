import type { Extras } from '../../contract/extras.ts'

/** The quantity of each voucher, by its id. */
export type Wanted = Readonly<Record<number, number>>

/** The quantities as the call takes them: an id twice means two. Vouchers no longer on sale are left out. */
export function idsOf(extras: readonly Extras[], wanted: Wanted): number[] {
  return extras.flatMap(({ id }) => Array.from({ length: wanted[id] ?? 0 }, () => id))
}

/** The quantities in an earlier draft. */
export function wantedIn(draft: Readonly<Record<string, string[]>>): Wanted {
  return Object.fromEntries(
    Object.entries(draft).flatMap(([name, [count]]) => {
      const id = /^voucher-(\d+)$/.exec(name)?.[1]
      return id && count ? [[id, Number(count)]] : []
    }),
  )
}
