/** Another tab has this long to let go, as when the page was just loaded anew. */
const PATIENCE_MS = 1_500

/**
 * One tab at a time keeps an event's door on a phone: two would not see each other's scans. Answers whether it is this one now;
 * `isStolen` takes it from the other. Where the browser has no such locks, nobody is kept out.
 */
export async function lockTab(
  eventId: number,
  signal: AbortSignal,
  onLost: () => void,
  isStolen = false,
): Promise<boolean> {
  if (!('locks' in navigator)) return true
  const name = `turnout-door-${eventId}`
  const released = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), PATIENCE_MS)
  return new Promise((resolve) => {
    const hold = () => {
      clearTimeout(timer)
      resolve(true)
      return released
    }
    const options = isStolen ? { steal: true } : { signal: waiting.signal }
    navigator.locks.request(name, options, hold).catch(() => {
      // Either it was not to be had in time, or another tab has taken it over.
      resolve(false)
      if (!signal.aborted) onLost()
    })
  })
}
