/** Resolves to null after this time, in ms. */
export function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms))
}

/** What a promise resolves to within this time, in ms; null when it takes longer. */
export function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  return Promise.race([promise, pause(ms)])
}
