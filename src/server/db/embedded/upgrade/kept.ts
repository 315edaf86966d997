import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { placeIn } from '../directory.ts'
import { keptData } from './swap.ts'

/** For how long old data is kept at least. */
export const KEPT_DAYS = 7
const DAY = 24 * 60 * 60_000

const schema = z.object({
  /** The major version of the old data. */
  from: z.number(),
  upgradedAt: z.iso.datetime(),
  /** What it holds that was not made by Turnout, and so was not copied. */
  besides: z.array(z.string()),
})
type Kept = z.infer<typeof schema>

const noteIn = (dataDir: string) => join(dataDir, 'postgres-kept.json')

/** Notes which old data is kept, in a folder that the server's user cannot write to. */
export function noteKept(dataDir: string, kept: Kept): void {
  writeFileSync(noteIn(dataDir), `${JSON.stringify(kept, null, 1)}\n`, { mode: 0o600, flush: true })
}

/** The old data that an upgrade has left; null when there is none. */
function findKept(dataDir: string): (Kept & { data: string }) | null {
  if (!existsSync(noteIn(dataDir))) return null
  const kept = schema.parse(JSON.parse(readFileSync(noteIn(dataDir), 'utf8')))
  const data = keptData(placeIn(dataDir), kept.from)
  return existsSync(data) ? { ...kept, data } : null
}

/**
 * Removes the old data of an upgrade that was some days ago, and says which; to be called when the new database has just been proven by a backup. Old data
 * that holds something besides Turnout's own is left to somebody who knows it.
 */
export async function removeKept(dataDir: string, now: Date): Promise<string | null> {
  const kept = findKept(dataDir)
  if (kept === null || kept.besides.length > 0) return null
  if (now.getTime() - Date.parse(kept.upgradedAt) < KEPT_DAYS * DAY) return null
  await rm(kept.data, { recursive: true, force: true })
  await rm(noteIn(dataDir), { force: true })
  return kept.data
}
