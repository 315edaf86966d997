import type { Settings } from '../settings.ts'
import { type ImageStore, isOurs, OWNER_FILE, type StoredFile } from './image-store.ts'
import { openS3 } from './s3-client.ts'

/** Where every installation kept its images before each had a prefix of its own. */
const OLD_PREFIX = 'images/'
/** Timeout of each of the two tries, in ms. */
const ANSWER_MS = 10_000

/**
 * Images in S3 or a compatible store, so that several machines serve the same ones. Each installation has a prefix of its own, so that two
 * may share a bucket. Files under the old prefix are copied when they are needed and never changed, since their owner is unknown.
 */
export async function s3Store(
  settings: NonNullable<Settings['s3']>,
  installationId: string,
  answerMs = ANSWER_MS,
): Promise<ImageStore> {
  const { s3, client, bucket: Bucket } = await openS3(settings, answerMs)
  // Without permission to list the bucket, S3 answers 403 for missing files.
  const isMissing = (error: unknown) =>
    error instanceof s3.NoSuchKey ||
    error instanceof s3.NotFound ||
    (error instanceof s3.S3ServiceException && error.$metadata.httpStatusCode === 403)

  const prefix = `images-${installationId}/`
  const trash = `${prefix}removed/`
  const ownerKey = prefix + OWNER_FILE

  async function read(Key: string): Promise<Buffer | null> {
    try {
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key }))
      return Body ? Buffer.from(await Body.transformToByteArray()) : null
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async function exists(Key: string): Promise<boolean> {
    try {
      await client.send(new s3.HeadObjectCommand({ Bucket, Key }))
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** Returns whether there was something to copy. */
  async function copy(from: string, to: string): Promise<boolean> {
    try {
      await client.send(new s3.CopyObjectCommand({ Bucket, CopySource: `${Bucket}/${from}`, Key: to }))
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  async function remove(Key: string): Promise<void> {
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key }))
  }

  async function put(Key: string, Body: Buffer | string): Promise<void> {
    await client.send(new s3.PutObjectCommand({ Bucket, Key, Body }))
  }

  async function list(Prefix: string): Promise<StoredFile[]> {
    const found: StoredFile[] = []
    for await (const page of s3.paginateListObjectsV2({ client }, { Bucket, Prefix }))
      for (const { Key, LastModified } of page.Contents ?? [])
        if (Key && LastModified) found.push({ name: Key.slice(Prefix.length), writtenAt: LastModified })
    return found.filter(isOurs)
  }

  return {
    put: (name, bytes) => put(prefix + name, bytes),
    get: (name) => read(prefix + name),
    remove: async (name) => {
      if (await copy(prefix + name, trash + name)) await remove(prefix + name)
    },
    isRestorable: async (name) => (await exists(trash + name)) || (await exists(OLD_PREFIX + name)),
    restore: async (name) => {
      if (await copy(trash + name, prefix + name)) await remove(trash + name)
      else await copy(OLD_PREFIX + name, prefix + name)
    },
    getRemoved: async (name) => (await read(trash + name)) ?? read(OLD_PREFIX + name),
    purge: (name) => remove(trash + name),
    list: () => list(prefix),
    listRemoved: () => list(trash),
    owner: async () => (await read(ownerKey))?.toString().trim() ?? null,
    claim: async (id) => {
      if (!(await exists(ownerKey))) await put(ownerKey, `${id}\n`)
    },
    ownerPlace: `${Bucket}/${ownerKey}`,
  }
}
