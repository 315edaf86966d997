import { expect, test } from 'vitest'
import { s3Store } from '../../src/server/images/s3-store.ts'
import { startS3Server } from '../support/s3-server.ts'

test('images are put into object storage, read, listed over several pages, and removed', async () => {
  const server = await startS3Server()
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const store = await s3Store({ endpoint: server.url, bucket: 'club', region: 'us-east-1', ...credentials })
  const names = ['a.jpg', 'b.jpg', 'c.jpg']
  for (const name of names) await store.put(name, Buffer.from(`picture ${name}`))
  expect([...server.objects.keys()]).toEqual(names.map((name) => `/club/images/${name}`))
  expect((await store.get('b.jpg'))?.toString()).toBe('picture b.jpg')
  expect(await store.get('none.jpg')).toBeNull()
  const listed = await store.list()
  expect(listed.map(({ name }) => name)).toEqual(names)
  expect(Date.now() - (listed[0]?.writtenAt.getTime() ?? 0)).toBeLessThan(60_000)
  await store.remove('a.jpg')
  await store.remove('a.jpg')
  expect((await store.list()).map(({ name }) => name)).toEqual(['b.jpg', 'c.jpg'])
  await server.stop()
})
