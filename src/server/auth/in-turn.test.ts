import { expect, test } from 'vitest'
import { makeTurns } from './in-turn.ts'

test('work is done in turn, so much at once; whoever comes when too many wait is told to come again', async () => {
  const inTurn = makeTurns({ atOnce: 2, mostWaiting: 3, retryAfter: 5 })
  const done: number[] = []
  let finish = () => {}
  const gate = new Promise<void>((resolve) => {
    finish = resolve
  })
  let most = 0
  let underWay = 0
  const work = (n: number) => async () => {
    most = Math.max(most, ++underWay)
    await gate
    done.push(n)
    underWay--
    if (n === 3) throw new Error('failed')
  }
  const results = [1, 2, 3, 4, 5].map((n) => inTurn(work(n)))
  await expect(inTurn(work(6))).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 })
  finish()
  const settled = await Promise.allSettled(results)
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(done).toEqual([1, 2, 3, 4, 5])
  expect(most).toBe(2)
  await inTurn(async () => done.push(7))
})
