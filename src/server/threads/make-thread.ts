import { Piscina } from 'piscina'

/**
 * A thread of its own for work that would keep all requests waiting; it ends when there is nothing to do. `file` lies beside the built
 * server. Null if the sources run, as in tests: a plain worker thread cannot load them, and the work is done on the main thread.
 */
export function makeThread(file: string, resourceLimits: { maxOldGenerationSizeMb?: number } = {}): Piscina | null {
  if (!import.meta.filename.endsWith('.js')) return null
  const filename = new URL(file, import.meta.url).href
  const lasting = { minThreads: 0, maxThreads: 1, idleTimeout: 30_000 }
  return new Piscina({
    filename,
    ...lasting,
    // Nobody reads the timings, and each pool would hold 0.7 MB for them.
    recordTiming: false,
    // A quarter of V8's default: drawing a ticket is as fast with it, and a thread holds some 15 MB less.
    resourceLimits: { maxYoungGenerationSizeMb: 12, ...resourceLimits },
  })
}
