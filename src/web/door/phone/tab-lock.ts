/** How long to wait for another tab's lock, in ms: a page that was just reloaded still releases it. */
const PATIENCE_MS = 1_500

/**
 * Takes the lock by which one tab at a time has an event's door: two would not see each other's scans. Returns whether this tab has it
 * now; `isStolen` takes it from the other tab, whose `onLost` is called. In browsers without such locks, every tab gets the door.
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
  let timer = setTimeout(giveUpIfHeld, PATIENCE_MS)
  // A slow phone may take longer to grant a lock that nobody has.
  async function giveUpIfHeld() {
    const { held = [] } = await navigator.locks.query()
    if (held.some((lock) => lock.name === name)) waiting.abort()
    else timer = setTimeout(giveUpIfHeld, PATIENCE_MS)
  }
  return new Promise((resolve) => {
    const hold = () => {
      clearTimeout(timer)
      resolve(true)
      return released
    }
    const options = isStolen ? { steal: true } : { signal: waiting.signal }
    navigator.locks.request(name, options, hold).catch(() => {
      // Either the lock was not free in time, or another tab has taken it over.
      resolve(false)
      if (!signal.aborted) onLost()
    })
  })
}
