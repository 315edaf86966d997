import { existsSync } from 'node:fs'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import { type Address, withClient } from '../db/on-client.ts'
import type { ImageStore } from '../images/image-store.ts'
import { addImages } from './backup-images.ts'
import { beginSnapshot, copyOut, isInstalled } from './export-queries.ts'
import {
  CHUNK_BYTES,
  FORMAT,
  type Header,
  rowsDigest,
  rowsName,
  type TableContent,
  type TableShape,
} from './file-format.ts'
import { listImages, readInstallationId } from './image-queries.ts'
import { type AddEntry, writeBackup } from './write-file.ts'

interface Wanted {
  address: Address
  /** The images of the installation with this id; it is empty for one of a version that had none. */
  openImages: (installationId: string) => Promise<ImageStore>
  path: string
  /** Ends it; what was written is removed. */
  signal?: AbortSignal
}

export interface Made {
  header: Header
  tables: Readonly<Record<string, TableContent>>
  images: number
  /** Images that rows name and that have no file. */
  missing: string[]
}

/**
 * Writes all rows as they are at one moment, and the images that they name, into a file that is there complete or not at all. The server may go on
 * with its work.
 */
export async function makeBackup({ address, openImages, path, signal }: Wanted): Promise<Made> {
  if (existsSync(path)) throw new Error(`${path} is there already: name a new file.`)
  return withClient(
    address,
    async (client) => {
      if (!(await isInstalled(client)))
        throw new Error('There is nothing to back up: the database has no tables of Turnout.')
      const { tables, sequences, migrations } = await beginSnapshot(client)
      const installationId = await readInstallationId(client, tables)
      const header: Header = {
        format: FORMAT,
        version: PRODUCT_VERSION,
        createdAt: new Date().toISOString(),
        installationId,
        migrations,
        tables,
        sequences,
      }
      let missing: string[] = []
      const { tables: contents, images } = await writeBackup({
        path,
        header,
        signal,
        fill: async (add) => {
          const contents: Record<string, TableContent> = {}
          for (const table of tables) contents[table.name] = await addRows(add, table, await copyOut(client, table))
          const added = await addImages(await openImages(installationId ?? ''), await listImages(client, tables), add)
          missing = added.missing
          return { tables: contents, images: added.images }
        },
      })
      return { header, tables: contents, images, missing }
    },
    signal,
  )
}

/** Adds a table's rows in entries of a bounded size. */
async function addRows(add: AddEntry, { name }: TableShape, rows: AsyncIterable<Buffer>): Promise<TableContent> {
  const digest = rowsDigest()
  let waiting: Buffer[] = []
  let size = 0
  let part = 0
  const flush = async () => {
    if (size === 0) return
    await add(rowsName(name, part++), Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  for await (const chunk of rows) {
    digest.add(chunk)
    waiting.push(chunk)
    size += chunk.length
    if (size >= CHUNK_BYTES) await flush()
  }
  await flush()
  return digest.result()
}
