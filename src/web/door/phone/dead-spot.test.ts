import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DoorList } from '../../../contract/door.ts'
import { Refusal } from '../../../contract/errors.ts'
import { decideByHand } from './decide.ts'
import { openDoor } from './door.ts'
import type { CallControl } from './hedged-request.ts'
import { keepSynced } from './sync.ts'

const network = vi.hoisted(() => ({ isDead: false, arrived: new Map<string, number>() }))
const REQUEST_MS = 100
const GUESTS = 20
const at = new Date('2026-11-27T18:00:00Z')
const event = {
  ...{ id: 1, name: 'Party', location: '', timeZone: 'Europe/Berlin', status: 'published' as const },
  ...{ startsAt: at, endsAt: new Date('2026-11-27T22:00:00Z') },
}
const guest = { status: 'confirmed' as const, hash: '', short: '', in: null, answers: [], vouchers: [] }
const guests = Array.from({ length: GUESTS }, (_, n) => ({ ...guest, id: n + 1, name: `Guest ${n + 1}` }))

vi.mock('./store.ts', () => {
  let order = 0
  const nothing = async () => {}
  return {
    ...{
      readList: async () => null,
      readQueue: async () => [],
      readRecent: async () => [],
      listedEvents: async () => [],
    },
    ...{ writeList: nothing, writeRecent: nothing, trimRecent: nothing, removeFromQueue: nothing },
    addToQueue: async () => ++order,
  }
})

/** Requests sent or answered during the dead spot are lost. */
vi.mock('../../api/call.ts', () => ({
  call: (_: unknown, input: Input, control: Partial<CallControl>) =>
    new Promise((resolve, reject) => {
      const lost = () => reject(new Refusal('UNAVAILABLE'))
      if (control.signal) control.signal.addEventListener('abort', lost)
      else setTimeout(lost, 30_000)
      if (network.isDead) return
      setTimeout(() => {
        if (network.isDead || control.signal?.aborted) return
        control.watch?.(new Response('{}', { headers: { 'content-type': 'application/json' } }))
        resolve('payload' in input ? answer(input.payload.scans) : changesSince(input.since))
      }, REQUEST_MS)
    }),
}))
type Scans = readonly { scanId: string }[]
type Input = { since?: string } | { payload: { scans: Scans } }

function answer(scans: Scans) {
  const none = { code: null, msg: '', registrationId: null, name: null, checkin: null, extrasPurchase: null }
  for (const { scanId } of scans) network.arrived.set(scanId, network.arrived.get(scanId) ?? performance.now())
  return { answers: scans.map(({ scanId }) => ({ ...none, scanId })) }
}

function changesSince(since: string | undefined): DoorList {
  const isFull = since === undefined
  const nothing = { questions: [], removed: [], count: GUESTS, conflicts: 0 }
  return { ...nothing, cursor: '1.a', isFull, now: new Date(), event, tickets: isFull ? guests : [] }
}

beforeEach(() => {
  vi.useFakeTimers({ now: at })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('whenever a dead spot begins and however long it lasts, its scans are sent within two seconds after it', async () => {
  for (const lengthMs of [500, 1_000, 2_000, 3_500, 5_000, 9_000, 20_000])
    for (const startMs of [0, 700, 1_400, 2_100, 2_800]) {
      network.isDead = false
      network.arrived.clear()
      const door = await openDoor(1)
      const stop = new AbortController()
      void keepSynced(door, stop.signal)
      await vi.advanceTimersByTimeAsync(7_000 + startMs)
      expect(door.connection).toBe('online')

      network.isDead = true
      const steps = [0.1, 0.5, 0.9].map((part) => part * lengthMs)
      let passed = 0
      for (const [n, step] of steps.entries()) {
        await vi.advanceTimersByTimeAsync(step - passed)
        passed = step
        void decideByHand(door, n + 1)
      }
      await vi.advanceTimersByTimeAsync(lengthMs - passed)
      network.isDead = false
      const back = performance.now()
      await vi.advanceTimersByTimeAsync(2_000)
      const when = `${startMs} ms after the seventh second, for ${lengthMs} ms`
      expect([door.connection, door.queue.length, network.arrived.size], when).toEqual(['online', 0, 3])
      expect(Math.max(...network.arrived.values()) - back, when).toBeLessThan(2_000)
      stop.abort()
      await vi.advanceTimersByTimeAsync(60_000)
    }
})
