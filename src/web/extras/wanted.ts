import type { Extras } from '../../contract/extras.ts'

/** How many of each voucher are wanted, by its id. */
export type Wanted = Readonly<Record<number, number>>

/** What is wanted as the call says it: an id twice is two of it. Vouchers that are gone from sale are left out. */
export function idsOf(extras: readonly Extras[], wanted: Wanted): number[] {
  return extras.flatMap(({ id }) => Array.from({ length: wanted[id] ?? 0 }, () => id))
}

/** What a draft of before holds of them. */
export function wantedIn(draft: Readonly<Record<string, string[]>>): Wanted {
  return Object.fromEntries(
    Object.entries(draft).flatMap(([name, [count]]) => {
      const id = /^voucher-(\d+)$/.exec(name)?.[1]
      return id && count ? [[id, Number(count)]] : []
    }),
  )
}
