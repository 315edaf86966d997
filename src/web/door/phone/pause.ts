/** Resolves to null after this time, in ms. */
export function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}

/** The promise's result if it resolves within this time, in ms; otherwise null. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, pause(ms)])
}
