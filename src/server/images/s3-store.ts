import type { Settings } from '../settings.ts'
import type { ImageStore } from './image-store.ts'

/** Images in S3 or what speaks like it, so that several machines serve the same. The SDK is loaded only where it is used. */
export async function s3Store(settings: NonNullable<Settings['s3']>): Promise<ImageStore> {
  const s3 = await import('@aws-sdk/client-s3')
  const { bucket: Bucket, endpoint, region, accessKeyId, secretAccessKey } = settings
  const client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other makers' servers know neither buckets as host names nor the newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const keyOf = (name: string) => `images/${name}`
  return {
    put: async (name, Body) => {
      await client.send(new s3.PutObjectCommand({ Bucket, Key: keyOf(name), Body }))
    },
    get: async (name) => {
      try {
        const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: keyOf(name) }))
        return Body ? Buffer.from(await Body.transformToByteArray()) : null
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return null
        throw error
      }
    },
    remove: async (name) => {
      await client.send(new s3.DeleteObjectCommand({ Bucket, Key: keyOf(name) }))
    },
    list: async () => {
      const found: { name: string; writtenAt: Date }[] = []
      for await (const page of s3.paginateListObjectsV2({ client }, { Bucket, Prefix: 'images/' }))
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key && LastModified) found.push({ name: Key.slice('images/'.length), writtenAt: LastModified })
      return found
    },
  }
}
