/** How far the server's clock is ahead of this device's, in ms. */
let ahead = 0
/** Smaller differences are ignored: the header has whole seconds, and the answer took time to arrive. */
const EXACT_MS = 2_000

/** Notes the server's time from the header `date` of an answer that has just arrived. */
export function noteServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < EXACT_MS ? 0 : difference
}

/** The current time by the server's clock, independent of this device's. */
export function serverNow(): Date {
  return new Date(Date.now() + ahead)
}
