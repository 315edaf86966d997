import type { Deps } from '../deps.ts'
import { describe } from '../http/errors.ts'
import { listImagesInUse } from './queries.ts'

const HOUR = 60 * 60_000
/** A file this young may belong to a row that is just being saved. */
const GRACE_MS = HOUR

/** Removes the image files that no row names, as a crash between file and row leaves them. Answers how many. */
export async function sweepImages({ db, images, now }: Deps): Promise<number> {
  const before = now().getTime() - GRACE_MS
  // The files first: one stored after this look is not in the list, so it cannot be taken for an orphan.
  const files = await images.list()
  const inUse = new Set(Array.from(await listImagesInUse(db), idOf))
  const orphans = files.filter(({ name, writtenAt }) => !inUse.has(idOf(name)) && writtenAt.getTime() < before)
  for (const { name } of orphans) await images.remove(name)
  return orphans.length
}

/** What all files of one image share: the name without width and format. */
function idOf(name: string): string {
  return name.slice(0, 32)
}

/** Sweeps now and every six hours. Clear the interval to stop. */
export function keepImagesSwept(deps: Deps): NodeJS.Timeout {
  const sweep = () =>
    void sweepImages(deps).catch((error: unknown) => deps.log.warn({ err: describe(error) }, 'sweep of images failed'))
  sweep()
  return setInterval(sweep, 6 * HOUR).unref()
}
