import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3Store } from '../../src/server/images/s3-store.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'

const A = `${'a'.repeat(32)}.jpg`
const B = `${'b'.repeat(32)}.jpg`
const C = `${'c'.repeat(32)}.jpg`

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(() => server.stop())

const open = (bucket: string, installationId: string, answerMs?: number) => {
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  return s3Store({ endpoint: server.url, bucket, region: 'us-east-1', ...credentials }, installationId, answerMs)
}
const keys = (bucket: string) => [...server.objects.keys()].filter((key) => key.startsWith(`/${bucket}/`)).sort()

test('images are put into object storage, read, listed over several pages, removed, taken back and purged', async () => {
  const store = await open('club', 'one')
  for (const name of [A, B, C]) await store.put(name, Buffer.from(`picture ${name}`))
  expect(keys('club')).toEqual([A, B, C].map((name) => `/club/images-one/${name}`))
  expect((await store.get(B))?.toString()).toBe(`picture ${B}`)
  expect(await store.get(`${'d'.repeat(32)}.jpg`)).toBeNull()
  const listed = await store.list()
  expect(listed.map(({ name }) => name)).toEqual([A, B, C])
  expect(Date.now() - (listed[0]?.writtenAt.getTime() ?? 0)).toBeLessThan(60_000)

  await store.remove(A)
  await store.remove(A)
  expect(await store.get(A)).toBeNull()
  expect((await store.list()).map(({ name }) => name)).toEqual([B, C])
  expect((await store.listRemoved()).map(({ name }) => name)).toEqual([A])
  expect([await store.isRestorable(A), await store.isRestorable(`${'d'.repeat(32)}.jpg`)]).toEqual([true, false])
  await store.restore(A)
  expect((await store.get(A))?.toString()).toBe(`picture ${A}`)
  expect(await store.listRemoved()).toEqual([])

  await store.remove(A)
  await store.purge(A)
  expect(keys('club')).toEqual([B, C].map((name) => `/club/images-one/${name}`))
})

test('two installations share a bucket and see nothing of each other', async () => {
  const [one, two] = [await open('shared', 'one'), await open('shared', 'two')]
  await one.put(A, Buffer.from('of one'))
  await two.put(B, Buffer.from('of two'))
  expect([(await one.list()).length, (await two.list()).length]).toEqual([1, 1])
  await one.claim('one')
  expect([await one.owner(), await two.owner()]).toEqual(['one', null])
  await two.claim('two')
  await one.claim('somebody else')
  expect([await one.owner(), await two.owner()]).toEqual(['one', 'two'])
})

test('an image under the previous prefix is copied when it is needed, and never changed', async () => {
  const store = await open('old', 'one')
  server.objects.set(`/old/images/${A}`, { bytes: Buffer.from('old'), writtenAt: new Date() })
  expect([await store.get(A), await store.isRestorable(A)]).toEqual([null, true])
  await store.restore(A)
  expect((await store.get(A))?.toString()).toBe('old')
  await store.remove(A)
  expect(keys('old')).toEqual([`/old/images-one/removed/${A}`, `/old/images/${A}`])
})

test('an object that does not exist is missing, also without permission to list the bucket', async () => {
  const store = await open('closed', 'one')
  server.mayList = false
  expect([await store.get(A), await store.owner(), await store.isRestorable(A)]).toEqual([null, null, false])
  await store.remove(A)
  await store.claim('one')
  server.mayList = true
  expect(await store.owner()).toBe('one')
})

test('requests to a storage that never answers time out', async () => {
  const store = await open('silent', 'one', 50)
  server.isSilent = true
  await expect(store.put(A, Buffer.from('x'))).rejects.toThrow(/timed out|timeout/i)
  await expect(store.get(A)).rejects.toThrow(/timed out|timeout/i)
  server.isSilent = false
  expect(await store.get(A)).toBeNull()
})

test('an object whose rest never comes times out', async () => {
  const store = await open('stalled', 'one', 200)
  server.objects.set(`/stalled/images-one/${A}`, { bytes: Buffer.from('picture'), writtenAt: new Date() })
  server.isStalled = true
  await expect(store.get(A)).rejects.toThrow(/timed out|timeout|aborted/i)
  server.isStalled = false
})
