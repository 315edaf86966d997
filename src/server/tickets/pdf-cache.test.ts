import { expect, test } from 'vitest'
import { makePdfCache } from './pdf-cache.ts'

const pdf = (bytes: number) => Buffer.alloc(bytes)

test('what was not used for the longest time goes when there is no more room', () => {
  const cache = makePdfCache(10)
  cache.set('a', pdf(4))
  cache.set('b', pdf(4))
  cache.get('a')
  cache.set('c', pdf(4))
  expect(['a', 'b', 'c'].map((key) => cache.get(key)?.length ?? null)).toEqual([4, null, 4])
})

test('a PDF larger than all room is not kept, and one set again counts once', () => {
  const cache = makePdfCache(10)
  cache.set('large', pdf(11))
  for (let n = 0; n < 3; n++) cache.set('a', pdf(5))
  cache.set('b', pdf(5))
  expect(['large', 'a', 'b'].map((key) => cache.get(key)?.length ?? null)).toEqual([null, 5, 5])
})
