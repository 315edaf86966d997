import { randomUUID } from 'node:crypto'
import { type Address, withClient } from '../db/on-client.ts'
import type { ImageStore } from '../images/image-store.ts'
import { WrongBackup } from './file-format.ts'
import { analyze, beginImport, commit, migrateTables, setInstallationId } from './import-queries.ts'
import { checkBackup } from './read-file.ts'
import { refuseNewer, restoreRows } from './restore-rows.ts'

interface Wanted {
  address: Address
  /** A new, empty place for the images of the installation with this id. */
  openImages: (installationId: string) => Promise<ImageStore>
  path: string
  /** Ends it; nothing is restored then. */
  signal?: AbortSignal
}

export interface Restored {
  /** The id of the restored installation. */
  id: string
  /** How many rows each table had in the backup. */
  rows: Readonly<Record<string, number>>
  images: number
  /** When the backup was made. */
  createdAt: string
}

/**
 * Restores a backup into an empty database, all or nothing, and brings it up to this version in the same transaction. The images are written under the id of the
 * restored installation, which exists only once the rows are committed. Throws `WrongBackup` when the file is not whole or of a newer version, or
 * the database is not empty.
 */
export async function restoreBackup({ address, openImages, path, signal }: Wanted): Promise<Restored> {
  const { header } = await checkBackup(path)
  refuseNewer(path, header)
  const id = randomUUID()
  const restored = await withClient(
    address,
    async (client) => {
      if (!(await beginImport(client)))
        throw new WrongBackup(
          'The database already holds an installation of Turnout. A backup is restored into an empty one only: set DATABASE_URL to a new database, or DATA_DIR to a new folder.',
        )
      const store = await openImages(id)
      const { rows, images } = await restoreRows(client, path, (name, content) => store.put(name, content))
      await migrateTables(client)
      await store.claim(id)
      await setInstallationId(client, id)
      await commit(client)
      return { id, rows, images, createdAt: header.createdAt }
    },
    signal,
  )
  // PostgreSQL does so by itself after a while.
  await withClient(address, analyze).catch(() => {})
  return restored
}
