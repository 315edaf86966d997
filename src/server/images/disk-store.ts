import { mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageStore } from './image-store.ts'

/** Images as files below the data directory; each is there whole or not at all. */
export function diskStore(dataDir: string): ImageStore {
  const folder = join(dataDir, 'images')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
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
    get: async (name) => {
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    list: async () => {
      const names = await readdir(folder)
      const times = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
      return names.flatMap((name, index) => {
        const writtenAt = times[index]?.mtime
        return writtenAt ? [{ name, writtenAt }] : []
      })
    },
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT'
}
