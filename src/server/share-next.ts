/**
 * Makes a function whose callers share work that is the same for a key. Calls that arrive while the work is running wait for the next run
 * and share it: nobody gets an answer that was read before they asked.
 */
export function makeShareNext<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const current = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  function begin(key: string, work: () => Promise<T>): Promise<T> {
    const now = work().finally(() => current.delete(key))
    current.set(key, now)
    return now
  }

  async function after(before: Promise<T>, key: string, work: () => Promise<T>): Promise<T> {
    await before.catch(() => {})
    next.delete(key)
    return begin(key, work)
  }

  return (key, work) => {
    const running = current.get(key)
    if (!running) return begin(key, work)
    const waiting = next.get(key) ?? after(running, key, work)
    next.set(key, waiting)
    return waiting
  }
}
