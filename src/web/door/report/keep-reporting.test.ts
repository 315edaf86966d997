import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Door, openDoor } from '../phone/door.ts'
import { keepReporting } from './keep-reporting.ts'
import type { Report } from './report-of.ts'

interface Sent {
  report: Report
  at: number
  options: object
  answer: (isAccepted: boolean) => void
}

const server = vi.hoisted(() => ({ sent: [] as unknown[] }))
vi.mock('../phone/store.ts', () => ({
  ...{ readList: async () => null, readQueue: async () => [], readRecent: async () => [] },
  ...{ listedEvents: async () => [], storedEvents: async () => [] },
}))
vi.mock('../../api/call.ts', () => ({
  call: (_: unknown, { payload }: { payload: unknown }, options: object) =>
    new Promise<void>((resolve, reject) => {
      const answer = (isAccepted: boolean) => (isAccepted ? resolve() : reject(new Error('refused')))
      server.sent.push({ report: payload, at: performance.now(), options, answer })
    }),
}))

const sent = () => server.sent as Sent[] // What the stand-in above has written.
let page: EventTarget & { visibilityState: string }
let door: Door
let stop: AbortController

beforeEach(async () => {
  vi.useFakeTimers()
  server.sent = []
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  door = await openDoor(1)
  door.connection = 'online'
  stop = new AbortController()
  keepReporting(door, () => ({ opensOffline: true, camera: 'seen' }), stop.signal)
})
afterEach(async () => {
  stop.abort()
  // Twice: the report under way, and that the scanner is closed.
  for (let n = 0; n < 2; n++) {
    for (const { answer } of sent()) answer(true)
    await pass(0)
  }
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function answer(isAccepted: boolean): Promise<void> {
  sent().at(-1)?.answer(isAccepted)
  await pass(0)
}

function show(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a report that gets no answer is given up after six seconds, and outlives the page', async () => {
  await pass(2_000)
  expect(sent()).toHaveLength(1)
  expect(sent()[0]?.options).toMatchObject({ timeoutMs: 6_000, keepalive: true })
})

test('after a report that fails the next waits, ever longer', async () => {
  await pass(2_000)
  for (let n = 0; n < 6; n++) {
    const { length } = sent()
    await answer(false)
    while (sent().length === length) await pass(1_000)
  }
  const times = sent().map(({ at }) => at)
  const gaps = times.slice(1).map((at, n) => Math.round((at - (times[n] ?? 0)) / 1000))
  // They are looked for every two seconds.
  expect(gaps).toEqual([16, 30, 46, 60, 60, 60])
  await answer(true)
  await pass(16_000)
  expect(sent()).toHaveLength(8)
})

test('a scanner that goes into the background says so at once, also when a report is under way', async () => {
  await pass(2_000)
  show('hidden')
  expect(sent().map(({ report }) => report.isShown)).toEqual([true, false])
  for (const { answer } of sent()) answer(true)
  await pass(0)
  expect(sent()).toHaveLength(2)
  show('visible')
  expect(sent().at(-1)?.report.isShown).toBe(true)
})

test('a scanner that is closed says so, and one that opens then reports after it', async () => {
  await pass(2_000)
  await answer(true)
  stop.abort()
  expect(sent().at(-1)?.report.isShown).toBe(false)
  stop = new AbortController()
  keepReporting(door, () => ({ opensOffline: true, camera: 'seen' }), stop.signal)
  await pass(4_000)
  expect(sent()).toHaveLength(2)
  await answer(true)
  await pass(2_000)
  expect(sent().at(-1)?.report.isShown).toBe(true)
})

test('only the codes of a keyboard scanner count as such', async () => {
  const at = performance.now()
  door.scanTimes.push({ at, by: 'camera' }, { at, by: 'hand' }, { at, by: 'scanner' })
  await pass(2_000)
  expect(sent()[0]?.report).toMatchObject({ scans: 3, recentScans: 3, recentByScanner: 1 })
})
