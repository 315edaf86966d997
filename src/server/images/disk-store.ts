import { mkdirSync } from 'node:fs'
import { access, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ImageStore, isOurs, OWNER_FILE, type StoredFile } from './image-store.ts'

/** Images as files below the data directory; each is there complete or not at all. The trash is the folder `removed` among them. */
export function diskStore(dataDir: string, name = 'images'): ImageStore {
  const folder = join(dataDir, name)
  const trash = join(folder, 'removed')
  const ownerPlace = join(folder, OWNER_FILE)
  mkdirSync(trash, { recursive: true, mode: 0o700 })
  return {
    put: async (name, bytes) => {
      const part = join(folder, `${name}.part`)
      const file = await open(part, 'w', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(part, join(folder, name))
    },
    get: (name) => orNull(readFile(join(folder, name))),
    remove: async (name) => {
      // From now on its age is its time in the trash.
      const now = new Date()
      await orNull(utimes(join(folder, name), now, now))
      await orNull(rename(join(folder, name), join(trash, name)))
    },
    isRestorable: async (name) => (await orNull(access(join(trash, name)))) !== null,
    restore: async (name) => {
      await orNull(rename(join(trash, name), join(folder, name)))
    },
    getRemoved: (name) => orNull(readFile(join(trash, name))),
    purge: (name) => rm(join(trash, name), { force: true }),
    list: () => list(folder),
    listRemoved: () => list(trash),
    owner: async () => (await orNull(readFile(ownerPlace, 'utf8')))?.trim() ?? null,
    claim: async (installationId) => {
      try {
        await writeFile(ownerPlace, `${installationId}\n`, { flag: 'wx', mode: 0o600, flush: true })
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      }
    },
    ownerPlace,
  }
}

async function list(folder: string): Promise<StoredFile[]> {
  const names = await readdir(folder)
  const times = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  return names
    .flatMap((name, index) => {
      const writtenAt = times[index]?.mtime
      return writtenAt ? [{ name, writtenAt }] : []
    })
    .filter(isOurs)
}

/** Null when the file is not there. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code
}
