/** The median time of so many rounds, in ms, after five that do not count. */
export async function medianTime(rounds: number, work: () => Promise<unknown>): Promise<number> {
  for (let n = 0; n < 5; n++) await work()
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}
