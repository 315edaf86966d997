import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { type Activity, makeActivity } from './activity.ts'
import { type Loop, startLoop } from './start-loop.ts'

const log = pino({ level: 'silent' })
const deps = { log, activity: makeActivity() }

test('a round that never ends keeps nobody waiting at the stop', async () => {
  const loop = startLoop(deps, 'loop', () => new Promise(() => {}), { pauseMs: 1, quietMs: 1, patienceMs: 1 })
  await loop.stop()
})

test('rounds follow each other, also after one that fails, until the stop', async () => {
  let rounds = 0
  const started = performance.now()
  const loop = await new Promise<Loop>((resolve) => {
    const made = startLoop(
      deps,
      'loop',
      async () => {
        rounds++
        if (rounds === 3) resolve(made)
        throw new Error('This round fails.')
      },
      { pauseMs: 1, quietMs: 1, patienceMs: 1_000 },
    )
  })
  await loop.stop()
  const before = rounds
  expect(loop.lastRoundAt()).toBeGreaterThan(started)
  await new Promise((resolve) => setImmediate(resolve))
  expect(rounds).toBe(before)
})

test('while there is more to do there is no pause', async () => {
  let left = 50
  const done = new Promise<void>((resolve) => {
    startLoop(
      deps,
      'loop',
      async () => {
        left--
        if (left === 0) resolve()
        return left > 0
      },
      { pauseMs: 3_600_000, quietMs: 3_600_000, patienceMs: 1 },
    )
  })
  await done
  expect(left).toBe(0)
})

test('while nothing happens the pause is long, and what happens ends it', async () => {
  const wakes: (() => void)[] = []
  const activity: Activity = {
    note: () => {},
    isRecent: () => false,
    onNext: (wake) => {
      wakes.push(wake)
      return () => {}
    },
  }
  let rounds = 0
  const round = async () => {
    rounds++
    return false
  }
  const loop = startLoop({ log, activity }, 'loop', round, { pauseMs: 1, quietMs: 3_600_000, patienceMs: 1_000 })
  await vi.waitUntil(() => wakes.length === 1)
  expect(rounds).toBe(1)
  wakes[0]?.()
  await vi.waitUntil(() => rounds === 2)
  await loop.stop()
})
