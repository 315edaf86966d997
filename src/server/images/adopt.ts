import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const RESTORED = /^images-[0-9a-f-]{36}$/

/** The name of the folder in which a restore puts the images of the installation with this id. */
export function restoredFolder(installationId: string): string {
  return `images-${installationId}`
}

/**
 * Makes the images that a restore brought those of this database. They wait under its id, so that they are never there without its rows: the
 * restore calls this once the rows are committed, and so does every start, in case it was ended before. Throws when other images are in the way.
 */
export function adoptImages(dataDir: string, installationId: string): void {
  const restored = join(dataDir, restoredFolder(installationId))
  if (!existsSync(restored)) return
  const folder = join(dataDir, 'images')
  if (!isEmptyStore(dataDir))
    throw new Error(
      `${folder} holds images, although those of the restored backup wait in ${restored}. Move one of them away.`,
    )
  if (existsSync(join(folder, 'removed'))) rmdirSync(join(folder, 'removed'))
  if (existsSync(folder)) rmdirSync(folder)
  renameSync(restored, folder)
}

/** Whether no image is stored in this data directory. */
export function isEmptyStore(dataDir: string): boolean {
  const namesIn = (path: string) => (existsSync(path) ? readdirSync(path) : [])
  const folder = join(dataDir, 'images')
  return [...namesIn(folder).filter((name) => name !== 'removed'), ...namesIn(join(folder, 'removed'))].length === 0
}

/** Removes what restores left behind that were ended before their rows were committed. */
export function removeUnfinished(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (RESTORED.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true })
}
