import { expect, test } from 'vitest'
import { joinWaiting } from './join-waiting.ts'

const options = { most: 3, atOnce: 1, keysOf: (word: string) => [word], isWorthSplitting: () => true }

test('those who wait at the same moment go together, no more than allowed, each with an answer of its own', async () => {
  const runs: string[][] = []
  const ask = joinWaiting(async (words: string[]) => {
    runs.push(words)
    return words.map((word) => word.toUpperCase())
  }, options)
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(ask))).toEqual(['A', 'B', 'C', 'D'])
  expect(runs).toEqual([['a', 'b', 'c'], ['d']])
})

test('two with the same key never go into one run, and keep their order', async () => {
  const runs: string[][] = []
  const ask = joinWaiting(async (words: string[]) => {
    runs.push(words)
    return words
  }, options)
  await Promise.all(['a', 'a', 'b'].map(ask))
  expect(runs).toEqual([['a', 'b'], ['a']])
})

test('one that fails does not take the others with it', async () => {
  const ask = joinWaiting(async (words: string[]) => {
    if (words.includes('bad')) throw new Error('bad word')
    return words
  }, options)
  const results = await Promise.allSettled(['a', 'bad', 'c'].map(ask))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('where splitting makes no sense all hear of the fault, and the next are served', async () => {
  let isAway = true
  const ask = joinWaiting(
    async (words: string[]) => {
      if (isAway) throw new Error('away')
      return words
    },
    { ...options, isWorthSplitting: () => false },
  )
  const results = await Promise.allSettled(['a', 'b'].map(ask))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await ask('c')).toBe('c')
})
