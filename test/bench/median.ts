/** The median time of so many rounds, in ms, after five that do not count. */
export async function medianTime(rounds: number, work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 5; n++) await work()
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return median(times)
}

/** The middle one of these values; 0 for none. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
