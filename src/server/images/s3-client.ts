import type { Settings } from '../settings.ts'

/**
 * Opens S3 or a compatible store; each of the two tries may take `answerMs`. The SDK is loaded only where it is used.
 */
export async function openS3(settings: NonNullable<Settings['s3']>, answerMs: number) {
  const s3 = await import('@aws-sdk/client-s3')
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = settings
  const client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Other vendors' servers support neither buckets as host names nor the newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Without limits, a server that does not answer, or stops in the middle of an answer, would be waited for forever.
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: answerMs,
    },
  })
  return { s3, client, bucket }
}
