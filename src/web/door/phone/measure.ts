/** Measures how long something took, for the browser's tools and the bench. Only the latest measure is kept. */
export function measure(name: string, started: number): void {
  performance.clearMeasures(name)
  performance.measure(name, { start: started, end: performance.now() })
}
