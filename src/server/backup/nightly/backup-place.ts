import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { openS3 } from '../../images/s3-client.ts'
import type { Settings } from '../../settings.ts'
import { isBackup, isLeftover, outdated } from './kept-backups.ts'
import { addStored, findStored, storeStored } from './state-queries.ts'

/** Where the nightly backups are kept. */
export interface BackupPlace {
  /** The folder in which one is written and proved. */
  dir: string
  /** Makes the folder ready, without what killed backups have left; `lastGood` is the last one that was kept. */
  prepare: (lastGood: string | null, signal?: AbortSignal) => Promise<void>
  /** Keeps one that is proved. */
  keep: (name: string, signal?: AbortSignal) => Promise<void>
  /** Removes those that are no longer needed. */
  prune: () => Promise<void>
}

/** A folder, in which they stay as they were written. */
export function inFolder(dir: string): BackupPlace {
  return {
    dir,
    prepare: () => prepareFolder(dir, isLeftover),
    keep: async () => {},
    prune: async () => {
      for (const name of outdated(await readdir(dir))) await rm(join(dir, name), { force: true })
    },
  }
}

/** How long the storage may take for one part of a backup, in ms. */
const PART_MS = 120_000

interface InStorage {
  storage: NonNullable<Settings['s3']>
  installationId: string
  dir: string
}

/**
 * Object storage: each installation has a prefix of its own, which all its servers share. They are written in `dir`; the last one that is proved
 * waits in its folder `proved` until it, or a newer one, is stored.
 */
export async function inObjectStorage(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { storage, installationId, dir }: InStorage,
): Promise<BackupPlace> {
  const { s3, client, bucket: Bucket } = await openS3(storage, PART_MS)
  const { Upload } = await import('@aws-sdk/lib-storage')
  const prefix = `backups-${installationId}/`

  /** Removes the parts that a stop or a kill has left, which are paid for and in no list of files. */
  async function abortUploads(): Promise<void> {
    const { Uploads = [] } = await client.send(new s3.ListMultipartUploadsCommand({ Bucket, Prefix: prefix }))
    for (const { Key, UploadId } of Uploads)
      if (Key && UploadId) await client.send(new s3.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  }

  const proved = join(dir, 'proved')

  /** Stores what waits, and compares how much has arrived. */
  async function upload(name: string, signal?: AbortSignal): Promise<void> {
    const path = join(proved, name)
    const Key = prefix + name
    await addStored(db, name)
    const params = { Bucket, Key, Body: createReadStream(path) }
    const upload = new Upload({ client, params, queueSize: 2 })
    const stop = () => void upload.abort()
    signal?.addEventListener('abort', stop)
    await upload.done().finally(() => signal?.removeEventListener('abort', stop))
    // Listed, since a key that may not read backups is the better one.
    const { Contents = [] } = await client.send(new s3.ListObjectsV2Command({ Bucket, Prefix: Key }))
    const arrived = Contents.find((object) => object.Key === Key)?.Size
    const { size } = await stat(path)
    if (arrived !== size) throw new Error(`The object storage has ${arrived ?? 0} of ${size} bytes of ${name}.`)
    await rm(path)
  }

  return {
    dir,
    prepare: async (lastGood, signal) => {
      await prepareFolder(dir, (name) => name !== 'proved')
      await prepareFolder(proved, (name) => lastGood !== null && name <= lastGood)
      for (const name of await readdir(proved))
        await upload(name, signal).catch((error: unknown) =>
          log.warn({ err: describeError(error), file: name }, 'a backup that waits could not be stored'),
        )
      // A key without this right can still keep backups.
      await abortUploads().catch((error: unknown) =>
        log.warn({ err: describeError(error) }, 'what a stop has left of uploads could not be removed'),
      )
    },
    keep: async (name, signal) => {
      signal?.throwIfAborted()
      await rename(join(dir, name), join(proved, name))
      await prepareFolder(proved, (other) => other !== name)
      await upload(name, signal)
    },
    prune: async () => {
      const names: string[] = []
      for await (const page of s3.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
        for (const { Key } of page.Contents ?? []) if (Key) names.push(Key.slice(prefix.length))
      // A copy of a database has its id, and so its prefix: which of the two has kept what, each knows of itself alone.
      const ours = await findStored(db)
      const others = ours === null ? [] : names.filter((name) => isBackup(name) && !ours.includes(name))
      if (others.length > 0)
        return log.warn({ others }, `another database keeps backups in ${Bucket}/${prefix}, so none is removed there`)
      const old = outdated(names)
      for (const name of old) await client.send(new s3.DeleteObjectCommand({ Bucket, Key: prefix + name }))
      await storeStored(
        db,
        names.filter((name) => !old.includes(name)),
      )
    },
  }
}

async function prepareFolder(dir: string, isOld: (name: string) => boolean): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const name of (await readdir(dir)).filter(isOld)) await rm(join(dir, name), { force: true, recursive: true })
}
