import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Clock, databaseClock } from '../../src/server/db/clock.ts'
import { until } from '../support/serve.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
let clock: Clock
const uptime = performance.now.bind(performance)

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())
afterEach(() => {
  clock.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** How far the clock is ahead of the database's, which runs on this machine, in ms. */
const ahead = () => clock.now().getTime() - Date.now()

/** Lets the process measure that much more time than passes. */
const skew = (ms: number) => vi.spyOn(performance, 'now').mockImplementation(() => uptime() + ms)

test('a clock that has become wrong, as on a machine that was suspended, is right after the next look at the database', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  clock = await databaseClock(app.deps.db)
  skew(-60_000)
  expect(ahead()).toBeLessThan(-50_000)
  vi.advanceTimersByTime(5_000)
  await until(async () => Math.abs(ahead()) < 1_000, 30_000, 'the clock is right')
})
