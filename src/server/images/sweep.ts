import type { Deps } from '../deps.ts'
import { describeError } from '../describe-error.ts'

import { isOrphan, isTooMany } from './orphans.ts'
import { claimImages } from './ownership.ts'
import { isAnyClub, listImagesInUse, storeOrphans } from './queries.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const EVERY_MS = 3 * HOUR
/** A file this young may belong to a row that is just being saved. */
const GRACE_MS = HOUR
/** How long a file must have been without a row before it goes to the trash: a database may be away or still being restored. */
const ORPHAN_MS = 3 * DAY
/** How long the trash keeps a file, so that a backup of that age finds all of its images. */
const TRASH_MS = 30 * DAY
/** With fewer files, the share without a row means nothing. */
const FEW_FILES = 10

type Sweeper = Pick<Deps, 'db' | 'images' | 'now' | 'log'>

/**
 * Restores files that rows name again, deletes those that have been in the trash long enough, and moves there the files that have been
 * without a row for days. Does nothing when files and database may not belong together. Returns how many were moved to the trash.
 */
export async function sweepImages(deps: Sweeper): Promise<number> {
  const { db, images, log } = deps
  const now = deps.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  if ((await claimImages(deps)) !== null || !(await isAnyClub(db))) return 0

  // The files first: one stored after this look is not in the list, so it cannot be taken for an orphan.
  const files = await images.list()
  const removed = await images.listRemoved()
  const isWithoutRow = isOrphan(await listImagesInUse(db))
  for (const { name } of removed.filter((file) => !isWithoutRow(file))) await images.restore(name)

  const orphans = files.filter((file) => isWithoutRow(file) && file.writtenAt < before(GRACE_MS))
  if (files.length >= FEW_FILES && isTooMany(orphans, files)) {
    const counts = { files: files.length, withoutRow: orphans.length }
    log.warn(counts, 'images are not cleared away: too many belong to no row. Is this the right database?')
    return 0
  }
  for (const { name } of removed.filter((file) => isWithoutRow(file) && file.writtenAt < before(TRASH_MS)))
    await images.purge(name)

  const names = orphans.map(({ name }) => name)
  const due = await storeOrphans(db, { names, now, seenBy: before(ORPHAN_MS) })
  for (const name of due) await images.remove(name)
  return due.length
}

/** Sweeps every three hours and never at start, when a wrong setting is most likely. Clear the interval to stop. */
export function keepImagesSwept(deps: Deps): NodeJS.Timeout {
  const sweep = () =>
    void sweepImages(deps).catch((error: unknown) =>
      deps.log.warn({ err: describeError(error) }, 'sweep of images failed'),
    )
  return setInterval(sweep, EVERY_MS).unref()
}
