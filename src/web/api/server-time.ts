/** How far the server's clock is ahead of this device's, in ms. */
let ahead = 0
/** The header tells whole seconds, and the answer was under way: less than this is no difference. */
const EXACT_MS = 2_000

/** Notes the server's time by the header `date` of an answer that has just come. */
export function noteServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < EXACT_MS ? 0 : difference
}

/** The time by the server's clock, whatever this device's says. */
export function serverNow(): Date {
  return new Date(Date.now() + ahead)
}
