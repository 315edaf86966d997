/** Notes how long something took, where the browser's tools and the bench can see it. Only the latest is kept. */
export function measure(name: string, started: number): void {
  performance.clearMeasures(name)
  performance.measure(name, { start: started, end: performance.now() })
}
