/** Resolves to null after this time, in ms. */
export function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}

/** The promise's result if it resolves within this time, in ms; otherwise null. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, pause(ms)])
}

/** Resolves after this time, in ms, or as soon as the signal is aborted. */
export function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
