import { afterAll, expect, test } from 'vitest'
import { batchedLookup } from './batched-lookup.ts'
import { connect } from './connect.ts'

// Nothing is sent over it: the look-ups here find their rows themselves.
const db = connect('postgres://127.0.0.1:1/none')
afterAll(() => db.destroy())

test('callers of the same moment share a query, each key once', async () => {
  const queries: (readonly number[])[] = []
  const lookUp = batchedLookup<number, string>(async (_db, keys) => {
    queries.push(keys)
    return new Map(keys.map((key) => [key, `row ${key}`]))
  })
  expect(await Promise.all([1, 2, 1].map((key) => lookUp(db, key)))).toEqual(['row 1', 'row 2', 'row 1'])
  expect(queries).toEqual([[1, 2]])
})

test('a row that cannot be read fails only its own callers; an unavailable database fails all at once', async () => {
  let code = 'XX001'
  let queries = 0
  const lookUp = batchedLookup<number, string>(async (_db, keys) => {
    queries++
    if (keys.includes(3)) throw Object.assign(new Error('failed'), { code })
    return new Map(keys.map((key) => [key, `row ${key}`]))
  })
  const all = () => Promise.allSettled([1, 2, 3, 4].map((key) => lookUp(db, key)))
  expect((await all()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  code = '57P01'
  queries = 0
  expect((await all()).map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(queries).toBe(1)
})
