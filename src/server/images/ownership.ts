import type { Deps } from '../deps.ts'
import { isOrphan, isTooMany } from './orphans.ts'
import { findInstallationId, listImagesInUse } from './queries.ts'

/**
 * Ties the stored images to this database; returns the reason if they belong to another one, else null. An unclaimed store becomes ours
 * when it is empty or when our rows name (nearly) all its files, as in an installation from before there were ids.
 */
export async function claimImages({ db, images }: Pick<Deps, 'db' | 'images'>): Promise<string | null> {
  const id = await findInstallationId(db)
  if ((await images.owner()) === null) {
    const files = [...(await images.list()), ...(await images.listRemoved())]
    const inUse = await listImagesInUse(db)
    const unknown = files.filter(isOrphan(inUse))
    if (isTooMany(unknown, files))
      return `Most image files beside ${images.ownerPlace} are not of this database, so none is ever cleared away: check DATABASE_URL and DATA_DIR. If they do belong together, write ${id} into ${images.ownerPlace}.`
    await images.claim(id)
  }
  // Read again: of two that claim at once, one was first.
  const owner = await images.owner()
  if (owner === id) return null
  return `The images belong to another database (${images.ownerPlace} says ${owner}, this database is ${id}), so none is ever cleared away: check DATABASE_URL and DATA_DIR.`
}
