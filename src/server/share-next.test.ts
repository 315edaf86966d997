import { expect, test } from 'vitest'
import { makeShareNext } from './share-next.ts'

/** Work that ends on demand, and how often it has begun. */
function controlled() {
  const ends: ((fails?: Error) => void)[] = []
  const work = (key: string) => {
    const at = ends.length + 1
    return new Promise<string>((resolve, reject) => {
      ends.push((error) => (error ? reject(error) : resolve(`${key} ${at}`)))
    })
  }
  const share = makeShareNext<string>()
  return { ends, ask: (key: string) => share(key, () => work(key)) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('calls that arrive during a run share the next run', async () => {
  const { ends, ask } = controlled()
  const first = ask('a')
  const second = ask('a')
  const third = ask('a')
  await turn()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await first).toBe('a 1')
  await turn()
  expect(ends).toHaveLength(2)
  // It came after the second time had begun.
  const fourth = ask('a')
  ends[1]?.()
  expect(await second).toBe('a 2')
  expect(await third).toBe('a 2')
  await turn()
  ends[2]?.()
  expect(await fourth).toBe('a 3')
})

test('keys do not wait for each other, and a failure reaches only the callers of its run', async () => {
  const { ends, ask } = controlled()
  const failing = ask('a')
  const after = ask('a')
  const other = ask('b')
  ends[1]?.()
  expect(await other).toBe('b 2')
  ends[0]?.(new Error('gone'))
  await expect(failing).rejects.toThrow('gone')
  await turn()
  ends[2]?.()
  expect(await after).toBe('a 3')
})
