import { expect, test } from 'vitest'
import { remember } from './remember.ts'

test('makes each value once and forgets the one not used for the longest time', () => {
  const made: string[] = []
  const shout = remember(2, (word: string) => {
    made.push(word)
    return word.toUpperCase()
  })
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(shout)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('tells values apart by all that they hold', () => {
  const sum = remember(10, ({ parts }: { parts: number[] }) => ({ total: parts.reduce((all, part) => all + part, 0) }))
  expect(sum({ parts: [1, 23] })).toBe(sum({ parts: [1, 23] }))
  expect([sum({ parts: [1, 23] }).total, sum({ parts: [12, 3] }).total]).toEqual([24, 15])
})

test('does not keep what is made of long texts', () => {
  let times = 0
  const count = remember(10, (_text: string) => ++times)
  expect([count('a'.repeat(401)), count('a'.repeat(401)), count('a'.repeat(400)), count('a'.repeat(400))]).toEqual([
    1, 2, 3, 3,
  ])
})

test('tries again after a failure', async () => {
  let tries = 0
  const read = remember(10, async (name: string) => {
    tries += 1
    if (tries === 1) throw new Error('busy')
    return name
  })
  await expect(read('font')).rejects.toThrow('busy')
  expect(await read('font')).toBe('font')
})
