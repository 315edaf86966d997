import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startLoop } from './start-loop.ts'

const log = pino({ level: 'silent' })
const now = () => new Date('2026-11-20T18:00:00Z')

test('a round that never ends keeps nobody waiting at the stop', async () => {
  const loop = startLoop({ log, now }, 'loop', () => new Promise(() => {}), { pauseMs: 1, patienceMs: 1 })
  await loop.stop()
})

test('rounds follow each other, also after one that fails, until the stop', async () => {
  let rounds = 0
  const loop = await new Promise<ReturnType<typeof startLoop>>((resolve) => {
    const made = startLoop(
      { log, now: () => new Date(rounds) },
      'loop',
      async () => {
        rounds++
        if (rounds === 3) resolve(made)
        throw new Error('This round fails.')
      },
      { pauseMs: 1, patienceMs: 1_000 },
    )
  })
  await loop.stop()
  const before = rounds
  expect(loop.lastRoundAt()).toEqual(new Date(before))
  await new Promise((resolve) => setImmediate(resolve))
  expect(rounds).toBe(before)
})
