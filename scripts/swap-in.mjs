import { existsSync, renameSync, rmSync } from 'node:fs'

/**
 * Puts a complete build in the place of the one before, which a server may be running from. What a killed swap leaves is a build under one
 * of the two names, or the one before as `.old`.
 */
export function swapIn(built, place) {
  const old = `${place}.old`
  rmSync(old, { recursive: true, force: true })
  if (existsSync(place)) renameSync(place, old)
  renameSync(built, place)
  rmSync(old, { recursive: true, force: true })
}
