import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface S3Server {
  url: string
  /** The stored objects, by `/bucket/key`. */
  objects: Map<string, { bytes: Buffer; writtenAt: Date }>
  /** What was uploaded in parts and neither completed nor aborted, by id. */
  uploads: Map<string, { path: string; parts: Map<number, Buffer> }>
  /** Whether it answers 403 to whoever writes. */
  isFull: boolean
  /** Whether it loses the end of what is written. */
  isLossy: boolean
  /** Whether it accepts requests but never answers them. */
  isSilent: boolean
  /** Whether it sends only the half of an object. */
  isStalled: boolean
  /** Whether clients may list the bucket. If not, S3 answers 403 for objects that do not exist. */
  mayList: boolean
  stop: () => Promise<void>
}

/** An in-memory S3 server over HTTP that can put (also in parts), copy, get, remove and list objects. Unsigned requests are refused. */
export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const state = { isFull: false, isLossy: false, isSilent: false, isStalled: false, mayList: true }
  const uploads: S3Server['uploads'] = new Map()
  let lastUpload = 0
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const bytes = await buffer(request)
    if (state.isSilent) return
    const missing = state.mayList ? 404 : 403
    const code = state.mayList ? 'NoSuchKey' : 'AccessDenied'
    const answer = (status: number, body: string | Buffer = '') => response.writeHead(status).end(body)
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return answer(403)
    const uploadId = searchParams.get('uploadId')
    if (request.method === 'POST' && searchParams.has('uploads')) {
      const id = String(++lastUpload)
      uploads.set(id, { path: pathname, parts: new Map() })
      return answer(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === 'PUT' && uploadId !== null) {
      uploads.get(uploadId)?.parts.set(Number(searchParams.get('partNumber')), bytes)
      return response.writeHead(200, { etag: '"x"' }).end()
    }
    if (request.method === 'POST' && uploadId !== null) {
      const sorted = [...(uploads.get(uploadId)?.parts ?? [])].sort(([a], [b]) => a - b)
      objects.set(pathname, { bytes: Buffer.concat(sorted.map(([, part]) => part)), writtenAt: new Date() })
      uploads.delete(uploadId)
      return answer(200, '<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>')
    }
    if (request.method === 'DELETE' && uploadId !== null) {
      uploads.delete(uploadId)
      return answer(204)
    }
    const source = request.headers['x-amz-copy-source']
    if (request.method === 'PUT' && source) {
      const found = objects.get(`/${String(source).replace(/^\//, '')}`)
      if (!found) return answer(missing, `<Error><Code>${code}</Code></Error>`)
      objects.set(pathname, { bytes: found.bytes, writtenAt: new Date() })
      return answer(200, '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>')
    }
    if (request.method === 'PUT') {
      if (state.isFull) return answer(403, '<Error><Code>QuotaExceeded</Code><Message>It is full.</Message></Error>')
      objects.set(pathname, { bytes: state.isLossy ? bytes.subarray(1) : bytes, writtenAt: new Date() })
      return answer(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(pathname)
      return answer(204)
    }
    if (searchParams.get('list-type') === '2')
      return answer(200, listing(`${pathname.replace(/\/$/, '')}/`, searchParams))
    if (searchParams.has('uploads')) {
      const bucket = `${pathname.replace(/\/$/, '')}/`
      const here = [...uploads].filter(([, { path }]) => path.startsWith(bucket + (searchParams.get('prefix') ?? '')))
      const found = here.map(
        ([id, { path }]) => `<Upload><Key>${path.slice(bucket.length)}</Key><UploadId>${id}</UploadId></Upload>`,
      )
      return answer(200, `<ListMultipartUploadsResult>${found.join('')}</ListMultipartUploadsResult>`)
    }
    const found = objects.get(pathname)
    if (request.method === 'HEAD') return answer(found ? 200 : missing)
    if (found && state.isStalled) {
      response.writeHead(200, { 'content-length': found.bytes.length })
      return response.write(found.bytes.subarray(0, found.bytes.length / 2))
    }
    return found ? answer(200, found.bytes) : answer(missing, `<Error><Code>${code}</Code></Error>`)
  })

  /** Two at a time, so that clients have to request the next page. */
  function listing(bucket: string, search: URLSearchParams): string {
    const prefix = bucket + (search.get('prefix') ?? '')
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    const from = Number(search.get('continuation-token') ?? 0)
    const contents = keys.slice(from, from + 2).map((key) => {
      const modified = objects.get(key)?.writtenAt.toISOString()
      const size = objects.get(key)?.bytes.length
      return `<Contents><Key>${key.slice(bucket.length)}</Key><Size>${size}</Size><LastModified>${modified}</LastModified></Contents>`
    })
    const next = from + 2 < keys.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    objects,
    uploads,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
