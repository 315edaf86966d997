import { expect, onTestFinished, test, vi } from 'vitest'
import { actingWith } from '../acting-token.ts'
import { batch } from './batch.ts'

const options = { most: 3, atOnce: 1, keysOf: (word: string) => [word], isWorthSplitting: () => true }

test('those who wait at the same moment go together, no more than allowed, each with an answer of its own', async () => {
  const runs: string[][] = []
  const ask = batch(async (words: string[]) => {
    runs.push(words)
    return words.map((word) => word.toUpperCase())
  }, options)
  expect(await Promise.all(['a', 'b', 'c', 'd'].map(ask))).toEqual(['A', 'B', 'C', 'D'])
  expect(runs).toEqual([['a', 'b', 'c'], ['d']])
})

test('two with the same key never go into one run, and keep their order', async () => {
  const runs: string[][] = []
  const ask = batch(async (words: string[]) => {
    runs.push(words)
    return words
  }, options)
  await Promise.all(['a', 'a', 'b'].map(ask))
  expect(runs).toEqual([['a', 'b'], ['a']])
})

test('one that fails does not take the others with it', async () => {
  const ask = batch(async (words: string[]) => {
    if (words.includes('bad')) throw new Error('bad word')
    return words
  }, options)
  const results = await Promise.allSettled(['a', 'bad', 'c'].map(ask))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('where splitting makes no sense all hear of the fault, and the next are served', async () => {
  let isAway = true
  const ask = batch(
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

test('a failed run is repeated in halves, so that one bad request costs few repetitions', async () => {
  let runs = 0
  const ask = batch(
    async (numbers: number[]) => {
      runs++
      if (numbers.includes(5)) throw new Error('bad number')
      return numbers
    },
    { most: 256, atOnce: 1, isWorthSplitting: () => true },
  )
  const results = await Promise.allSettled(Array.from({ length: 64 }, (_, index) => ask(index)))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  // Two a level of halving, and the first: 64 single ones would be more than four times as many.
  expect(runs).toBe(13)
})

/** Runs that end when they are told to. */
function held() {
  const ends = new Map<string, () => void>()
  const run = async (words: string[]) => {
    await new Promise<void>((resolve) => void ends.set(words.join(), resolve))
    return words
  }
  return { run, end: (words: string) => ends.get(words)?.(), names: () => [...ends.keys()] }
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

test('a lane that hangs holds up its own requests only', async () => {
  const { run, end, names } = held()
  const ask = batch(run, { most: 9, atOnce: 2, laneOf: (word) => word.charCodeAt(0) })
  const [a1, a2, b, c] = ['a1', 'a2', 'b', 'c'].map(ask)
  await turn()
  expect(names()).toEqual(['a1,a2', 'b'])
  const a3 = ask('a3')
  end('b')
  expect(await b).toBe('b')
  await turn()
  expect(names()).toEqual(['a1,a2', 'b', 'c'])
  end('c')
  expect(await c).toBe('c')
  end('a1,a2')
  expect(await Promise.all([a1, a2])).toEqual(['a1', 'a2'])
  await turn()
  end('a3')
  expect(await a3).toBe('a3')
})

test('a run that others are in the way of is tried again, after the other lanes had their turn', async () => {
  const order: string[] = []
  let isLocked = true
  const ask = batch(
    async (words: string[]) => {
      order.push(words.join())
      if (isLocked && words.includes('a')) throw new Error('locked')
      if (words.includes('c')) isLocked = false
      return words
    },
    { most: 9, atOnce: 1, laneOf: (word) => word.charCodeAt(0), isInTheWay: () => true },
  )
  expect(await Promise.all(['a', 'b', 'c'].map(ask))).toEqual(['a', 'b', 'c'])
  expect(order).toEqual(['a', 'b', 'c', 'a'])
})

test('lanes that are blocked leave room for others, however many they are', async () => {
  const { run, end, names } = held()
  let isLocked = true
  const ask = batch(
    async (words: string[]) => {
      await run(words)
      if (isLocked && words.join() < 'x') throw new Error('locked')
      return words
    },
    { most: 9, atOnce: 2, laneOf: (word) => word.charCodeAt(0), isInTheWay: () => true },
  )
  const blocked = ['a', 'b'].map(ask)
  await turn()
  for (const word of ['a', 'b']) end(word)
  await turn()
  const free = ask('x')
  await turn()
  // Only one of the two blocked lanes is tried again, so there is a run left.
  expect(names()).toContain('x')
  end('x')
  expect(await free).toBe('x')
  isLocked = false
  for (let n = 0; n < 3; n++) {
    for (const word of ['a', 'b']) end(word)
    await turn()
  }
  expect(await Promise.all(blocked)).toEqual(['a', 'b'])
})

test('a run that never ends is given up, and those that waited too long are refused', async () => {
  vi.useFakeTimers()
  try {
    const ask = batch(
      (words: string[]) =>
        words.join().startsWith('hangs') ? new Promise<string[]>(() => {}) : Promise.resolve(words),
      { most: 1, atOnce: 1 },
    )
    const hanging = ['hangs 1', 'hangs 2'].map((word) => ask(word).catch((error: unknown) => error))
    const late = ask('late').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    const inTime = ask('in time')
    await vi.advanceTimersByTimeAsync(8_000)
    for (const refused of [...hanging, late]) expect(await refused).toMatchObject({ code: 'UNAVAILABLE' })
    expect(await inTime).toBe('in time')
  } finally {
    vi.useRealTimers()
  }
})

test('after a run of several, the next one waits for those who were answered, but not for long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { run, end, names } = held()
  const ask = batch(run, { most: 9, atOnce: 1, laneOf: () => 0, lingerMs: 50 })
  void Promise.all(['a', 'b'].map(ask))
  await turn()
  void ask('c')
  end('a,b')
  await turn()
  void ask('d')
  await turn()
  expect(names()).toEqual(['a,b'])
  void ask('e')
  await turn()
  expect(names()).toEqual(['a,b', 'c,d,e'])
  end('c,d,e')
  await turn()
  // Those who were answered do not ask again: the wait ends by itself.
  void ask('f')
  await turn()
  expect(names()).toEqual(['a,b', 'c,d,e'])
  vi.advanceTimersByTime(50)
  // Read in the same turn of the event loop, after the timers.
  void ask('g')
  await turn()
  expect(names()).toEqual(['a,b', 'c,d,e', 'f,g'])
  end('f,g')
  await turn()
  vi.advanceTimersByTime(50)
  await turn()
  void ask('h')
  await turn()
  expect(names()).toEqual(['a,b', 'c,d,e', 'f,g', 'h'])
})

test('requests of another API token do not wait for those who were answered', async () => {
  const { run, end, names } = held()
  const ask = batch(run, { most: 9, atOnce: 1, laneOf: () => 0, lingerMs: 60_000 })
  void actingWith('first', async () => Promise.all(['a', 'b'].map(ask)))
  await turn()
  void actingWith('second', async () => ask('c'))
  end('a,b')
  await turn()
  expect(names()).toEqual(['a,b', 'c'])
})

test('a lane that waits for more does not hold up others, and its last requests are never forgotten', async () => {
  const { run, end, names } = held()
  const ask = batch(run, { most: 9, atOnce: 1, laneOf: (word) => word.charCodeAt(0), lingerMs: 20 })
  void Promise.all(['a1', 'a2'].map(ask))
  await turn()
  void ask('a3')
  void ask('b1')
  end('a1,a2')
  await turn()
  expect(names()).toEqual(['a1,a2', 'b1'])
  await vi.waitFor(() => {
    end('b1')
    expect(names()).toEqual(['a1,a2', 'b1', 'a3'])
  })
})
